/** The pages that a partner's developer needs; the other pages of docs/ are for operators and contributors. */

export interface GuidePage {
  /** Its address below /docs/guide/. */
  readonly name: string;
  /** Its path in the project. */
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

export const guidePages: readonly GuidePage[] = [
  {
    name: 'partner-guide',
    file: 'docs/partner-guide.md',
    title: 'Partner guide',
    about: 'From the first token to webhooks, with examples that run as they stand.',
  },
  {
    name: 'client',
    file: 'clients/typescript/README.md',
    title: 'Client for TypeScript',
    about: 'Signs in, refreshes and repeats by itself; typed answers and errors.',
  },
  {
    name: 'webhooks',
    file: 'docs/webhooks.md',
    title: 'Webhooks',
    about: 'Being called when something happens, with receivers in Node, Python and PHP.',
  },
  {
    name: 'errors',
    file: 'docs/errors.md',
    title: 'Errors',
    about: 'Every error code, what it means and what to do.',
  },
  {
    name: 'api-decisions',
    file: 'docs/api-decisions.md',
    title: 'API decisions',
    about: 'What holds for every operation, and what happens without a request.',
  },
  {
    name: 'time-zones',
    file: 'docs/time-zones.md',
    title: 'Time zones',
    about: 'What local times are on the days on which clocks are changed.',
  },
];
