/** The pages of docs/ that a partner's developer needs; the others are for whoever runs or changes the service. */

export interface GuidePage {
  /** `docs/{name}.md`, and its address below /docs/guide/. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

export const guidePages: readonly GuidePage[] = [
  {
    name: 'partner-guide',
    title: 'Partner guide',
    about: 'From the first token to webhooks, with examples that run as they stand.',
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    about: 'Being called when something happens, with receivers in Node, Python and PHP.',
  },
  { name: 'errors', title: 'Errors', about: 'Every error code, what it means and what to do.' },
  { name: 'api-decisions', title: 'API decisions', about: 'The rules in full, operation by operation.' },
  {
    name: 'time-zones',
    title: 'Time zones',
    about: 'What local times are on the days on which clocks are changed.',
  },
];

export const guidePath = (name: string): string => `/docs/guide/${name}`;
export const firstGuidePath = guidePath('partner-guide');
