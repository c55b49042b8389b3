/** Examples of the API document: their form, and the ids that they share. */

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** By a name; the first is what the reference page fills in. */
export type Examples = Readonly<Record<string, Example>>;

const id = (suffix: string) => `01900000-0000-7000-8000-${suffix.padStart(12, '0')}`;

/** Ids of the demo where it has them, so that an example can be tried unchanged. */
export const exampleIds = {
  partner: id('1'),
  workshop: id('a1'),
  customer: id('c1'),
  car: id('e1'),
  template: id('b1'),
  service: id('500'),
  booking: '0198f3a2-6c1d-7b44-9a02-5d3be1c4f701',
  quote: '0198f3a2-6d02-7a10-8b41-6a1f0c2e7b05',
  conversation: '0198f3a2-7e55-7c18-8f31-0c9d6ab2e402',
  blast: '0198f3a2-8a10-7c44-9d01-6b2e5f70a301',
  automation: '0198f3a2-8a11-7d10-8e22-17c3d94be802',
  run: '0198f3a2-8a12-7e55-a0f3-5a9c0d21c903',
  message: '0198f3a2-7e56-7d20-a1b7-93f4c8de5103',
  reminder: '0198f3a2-8b20-7a11-92d4-6ca7f1b2e306',
  callLead: '0198f3a2-8a10-7c02-b1c3-4f95e0d1a205',
  attempt: '0198f3a2-7e57-7f02-b6c3-27a95e0d1f04',
  webhook: '0198f3a2-7e58-7a31-9c44-61b08f3d2e05',
  delivery: '0198f3a2-7e59-7b12-8d55-72c19a4e3f06',
  event: '0198f3a2-7e5a-7c23-9e66-83d20b5f4a07',
} as const;
