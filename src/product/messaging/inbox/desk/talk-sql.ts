/** SQL expressions over a row of `talk`, which the database keeps true (`migrations/0064_talks.sql`). The indexes' conditions are these, word for word. */
import { lowestId } from '#platform/db/page-bounds.ts';

export type TalkState = 'waiting' | 'open' | 'done';

const isListed = (talk: string) => `${talk}.last_message_id IS NOT NULL`;
const answerOf = (talk: string) => `coalesce(${talk}.answer_id, '${lowestId}')`;

/** The customer waits for an answer, or staff said that they do: nothing was sent since, or all of it failed. */
const waits = (talk: string) =>
  `${talk}.done_at IS NULL AND (${talk}.heard_id > ${answerOf(talk)} OR ${talk}.reopened_id >= ${answerOf(talk)})`;
const isDone = (talk: string) => `${talk}.done_at IS NOT NULL`;
/** The newest text did not arrive, or may not have. */
const hasFailed = (talk: string) => `${talk}.done_at IS NULL AND ${talk}.failed_id >= ${answerOf(talk)}`;

/** Null, as of a talk that has no row yet, is open. */
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

/** True while a text of theirs did not arrive, or may not have, and nobody has said that this is done. */
export const failedOf = (talk: string): string => `coalesce(${hasFailed(talk)}, false)`;
