/** The areas of the API document, in the order in which they are shown. Each operation names one of them. */

interface TagEntry {
  readonly name: string;
  readonly description: string;
  /** Served at the root only, since it is not part of the contract with partners. */
  readonly unversioned?: true;
}

export const tags = [
  { name: 'Authentication', description: 'Signing in, and keeping signed in.' },
  { name: 'Workshops', description: 'The workshops that you are linked to.' },
  { name: 'Service catalogue', description: 'What a workshop offers.' },
  { name: 'Availabilities', description: 'When it has time.' },
  { name: 'Bookings', description: 'Creating, reading and changing bookings.' },
  { name: 'Reminders', description: "Reminding customers of their car's next service." },
  { name: 'Leads', description: 'Calls to a workshop, and the bookings that came of them.' },
  { name: 'Quotes', description: 'Asking a workshop for a price.' },
  { name: 'Messaging', description: "Texting a workshop's customers through its inbox." },
  { name: 'Webhooks', description: 'Being notified of what happens, and reading what one has missed.' },
  { name: 'Reports', description: 'What you did, counted.' },
  { name: 'Campaigns', description: 'Automations and blasts: texts to one customer or to many.' },
  {
    name: 'Sandbox',
    description: 'Looking at what was sent, and moving the clock. Only without a real gateway.',
    unversioned: true,
  },
  { name: 'Health', description: 'For whoever runs the service.', unversioned: true },
] as const satisfies readonly TagEntry[];

export type Tag = (typeof tags)[number]['name'];

/** True when the tag's operations are served below `/v1` too. */
export function isVersioned(name: Tag): boolean {
  return tags.some((tag: TagEntry) => tag.name === name && !tag.unversioned);
}
