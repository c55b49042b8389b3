/** The cursor of a feed: the position at which its page ends (`feed/store.ts`). */
import type { FeedPosition } from '#feed/store.ts';
import { isId } from '#values/id.ts';
import { cursorAt, type Listed, readCursor } from './paging.ts';

const isNumber = (part: string) => /^\d{1,19}$/.test(part);
const isEpoch = (part: string) => /^\d{1,9}$/.test(part);

export function feedCursorAt({ epoch, changedIn, id }: FeedPosition, listed: Listed): string {
  return cursorAt([String(epoch), changedIn, id], listed);
}

/** 400 000001 when this feed did not issue the cursor, or issued it for other filters. */
export function readFeedCursor(cursor: string, listed: Listed): FeedPosition {
  const [epoch = '', changedIn = '', id = ''] = readCursor(cursor, [isEpoch, isNumber, isId], listed);
  return { epoch: Number(epoch), changedIn, id };
}
