/** The outcome of a logged request, by which lists are narrowed. */
import type { LoggedRequest } from '#platform/http/request-log.ts';

export type Outcome = 'accepted' | 'refused' | 'ignored';

const has: Readonly<Record<Outcome, (request: LoggedRequest) => boolean>> = {
  accepted: ({ status }) => status < 400,
  refused: ({ status }) => status >= 400,
  ignored: ({ ignoredFields }) => ignoredFields.length > 0,
};

/** Null for another text. */
export const outcomeOf = (text: string): Outcome | null =>
  Object.hasOwn(has, text) ? (text as Outcome) : null;

export const hasOutcome = (request: LoggedRequest, outcome: Outcome): boolean => has[outcome](request);
