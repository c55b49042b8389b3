/** WHO MAY DO WHAT, ON ONE PAGE: each permission, and the roles of a workshop that have it. Every route of the console names one. */

export const roles = ['owner', 'adviser', 'technician', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Rights that do not follow from the role: set for each membership. */
export interface Switches {
  /** May send custom texts to customers. */
  readonly mayText: boolean;
  /** Sees phones and e-mails; otherwise they are masked, and not searched. */
  readonly seesPhones: boolean;
}

/** The default switches of a new membership. */
export const usualSwitches = (role: Role): Switches => ({
  mayText: role === 'owner' || role === 'adviser',
  seesPhones: role !== 'viewer',
});

const all = roles;
const desk = ['owner', 'adviser'] as const;
const bench = ['owner', 'adviser', 'technician'] as const;
const owners = ['owner'] as const;

/** The roles that have each permission. Those that also need the switch `mayText` are listed in `worded`. */
const holders = {
  /** Today, week, bookings, print. */
  seeBookings: all,
  /** Find, customers, inbox. */
  seeCustomers: all,
  /** Quotes and calls. */
  seeQuotes: ['owner', 'adviser', 'viewer'],
  /** Make, move, confirm and cancel bookings, Book anyway, day notes, close a day or bays, mark calls. */
  changeBookings: desk,
  /** Attendance, complete, Car is ready. */
  handleCars: bench,
  /** Job notes and parts of a booking. */
  noteJobs: bench,
  /** Custom texts: Message, Answer, pricing a quote, texting a caller. */
  wordTexts: desk,
  /** Conversations of the inbox: done, waiting again, assigned, notes. */
  handleConversations: desk,
  /** Correct customers, tags, opt out. */
  correctCustomers: desk,
  /** Opt in again, merge, erase, export, people, settings, blasts, automations. */
  runWorkshop: owners,
  /** See reminders, send and stop them. */
  seeReminders: desk,
  seeReport: ['owner', 'adviser', 'viewer'],
  /** The audit trail of records that they see; an owner sees all of the workshop's. */
  seeTrail: desk,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof holders;
export const permissions = Object.keys(holders) as readonly Permission[];

/** Whether a member with this role and these switches has the permission. */
export function may(who: Switches & { readonly role: Role }, permission: Permission): boolean {
  const held: readonly Role[] = holders[permission];
  return held.includes(who.role) && (permission !== 'wordTexts' || who.mayText);
}
