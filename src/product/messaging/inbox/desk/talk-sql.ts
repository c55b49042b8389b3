/**
 * SQL expressions over a row of `talk`, which the triggers maintain (`talk_said.sql`, `read_talks.sql`, `text_fate.sql`). They must equal the conditions of
 * the indexes literally.
 */
import { lowestId } from '#platform/db/page-bounds.ts';

export type TalkState = 'waiting' | 'open' | 'done';

const isListed = (talk: string) => `${talk}.last_message_id IS NOT NULL`;
const answerOf = (talk: string) => `coalesce(${talk}.answer_id, '${lowestId}')`;

/** The customer has written, or staff marked the talk as waiting, and no message was sent successfully since. */
const waits = (talk: string) =>
  `${talk}.done_at IS NULL AND (${talk}.heard_id > ${answerOf(talk)} OR ${talk}.reopened_id >= ${answerOf(talk)})`;
const isDone = (talk: string) => `${talk}.done_at IS NOT NULL`;
/** The newest text failed, or may have failed. */
const hasFailed = (talk: string) => `${talk}.done_at IS NULL AND ${talk}.failed_id >= ${answerOf(talk)}`;

/** A null state, as when the talk has no row yet, counts as open. */
export const stateOf = (talk: string): string =>
  `CASE WHEN ${isDone(talk)} THEN 'done' WHEN ${waits(talk)} THEN 'waiting' ELSE 'open' END`;

/** The lists of the inbox, each backed by an index. */
export const listed = {
  all: isListed,
  waiting: (talk: string) => `${isListed(talk)} AND ${waits(talk)}`,
  done: (talk: string) => `${isListed(talk)} AND ${isDone(talk)}`,
  failed: (talk: string) => `${isListed(talk)} AND ${hasFailed(talk)}`,
} as const satisfies Readonly<Record<string, (talk: string) => string>>;

export type TalkFilter = keyof typeof listed;
export const talkFilters = Object.keys(listed) as readonly TalkFilter[];

/** The customer may have asked for no more texts, and staff have not decided. */
export const asksOf = (talk: string): string => `${talk}.asked_id IS NOT NULL`;

/** The booking that an opt-out word may have been about, as JSON; null where none is, or staff are done with it. */
export const meantOf = (
  talk: string,
): string => `(SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
      FROM booking meant WHERE meant.id = ${talk}.meant_booking_id AND ${talk}.done_at IS NULL AND ${talk}.meant_id > ${answerOf(talk)})`;

/** True while a text to the customer failed, or may have failed, and staff have not marked the talk as done. */
export const failedOf = (talk: string): string => `coalesce(${hasFailed(talk)}, false)`;
