/** The cursor of a feed: the position at which its page ends (`feed/store.ts`). */
import type { FeedPosition } from '#feed/store.ts';
import { isId } from '#values/id.ts';
import { cursorAt, type Filters, readCursor } from './paging.ts';

const isNumber = (part: string) => /^\d{1,19}$/.test(part);
const isEpoch = (part: string) => /^\d{1,9}$/.test(part);

export function feedCursorAt({ epoch, changedIn, id }: FeedPosition, filters: Filters): string {
  return cursorAt([String(epoch), changedIn, id], filters);
}

/** 400 000001 when this service did not issue the cursor, or issued it for other filters. */
export function readFeedCursor(cursor: string, filters: Filters): FeedPosition {
  const [epoch = '', changedIn = '', id = ''] = readCursor(cursor, [isEpoch, isNumber, isId], filters);
  return { epoch: Number(epoch), changedIn, id };
}
