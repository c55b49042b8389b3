/** The query of the page of messages: the filter, and the message that is chosen. */
import type { Static } from 'typebox';
import { isId } from '#base/values/id.ts';
import type { Form } from '#platform/pages/form.ts';
import type { MessagesQuery } from '../schema.ts';
import { messagesPath } from './parts.ts';

const pageSize = 50;
/** The limit of `GET /sandbox/messages`. */
const listedAtMost = 1_000;

export const views = ['html', 'text', 'source', 'invitation'] as const;
export type View = (typeof views)[number];

export interface Way {
  readonly to: string;
  readonly channel: '' | 'sms' | 'email';
  readonly outcome: 'accepted' | 'refused';
  /** How many messages are listed. */
  readonly show: number;
  /** The id of the chosen message; null: none was chosen. */
  readonly message: string | null;
  /** How an e-mail is shown; null: as its HTML, where it has one. */
  readonly as: View | null;
}

const oneOf = <const T extends string, E>(
  values: readonly T[],
  text: string | undefined,
  otherwise: E,
): T | E => values.find((value) => value === text) ?? otherwise;

export function readWay({ to = '', channel, outcome, show, message = '', as }: Form): Way {
  const count = /^\d{1,4}$/.test(show ?? '') ? Number(show) : pageSize;
  return {
    to: to.slice(0, 255),
    channel: oneOf(['sms', 'email'], channel, ''),
    outcome: oneOf(['refused'], outcome, 'accepted'),
    show: Math.min(Math.max(count, pageSize), listedAtMost),
    message: isId(message) ? message : null,
    as: oneOf(views, as, null),
  };
}

/** The address of the page with these changes. */
export function hrefOf(way: Way, changes: Partial<Way> = {}): string {
  const { to, channel, outcome, show, message, as } = { ...way, ...changes };
  const query = new URLSearchParams();
  if (to !== '') query.set('to', to);
  if (channel !== '') query.set('channel', channel);
  if (outcome !== 'accepted') query.set('outcome', outcome);
  if (show !== pageSize) query.set('show', String(show));
  if (message !== null) query.set('message', message);
  if (as !== null) query.set('as', as);
  return query.size === 0 ? messagesPath : `${messagesPath}?${query}`;
}

/** The address of the next page; null: all that may be listed is. */
export const olderHref = (way: Way): string | null =>
  way.show < listedAtMost ? hrefOf(way, { show: Math.min(way.show + pageSize, listedAtMost) }) : null;

export const filterOf = ({ to, channel, outcome, show }: Way): Static<typeof MessagesQuery> => ({
  ...(to === '' ? {} : { to }),
  ...(channel === '' ? {} : { channel }),
  outcome,
  limit: show,
});

export const isFiltered = ({ to, channel, outcome }: Way): boolean =>
  to !== '' || channel !== '' || outcome !== 'accepted';
