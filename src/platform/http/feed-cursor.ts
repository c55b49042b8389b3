/**
 * The cursor of a feed: the position at which its page ends (`feed/store.ts`), sealed, since numbers of transactions tell how much
 * the whole installation does. Cursors that earlier releases gave out are plain, and go on working.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Sealing } from '#base/sealing.ts';
import { isId } from '#base/values/id.ts';
import type { FeedPage, FeedPoint, FeedPosition } from '#platform/feed/store.ts';
import { cursorAt, type Listed, partsOf, readCursor } from './paging.ts';

const isNumber = (part: string) => /^\d{1,19}$/.test(part);
const isEpoch = (part: string) => /^\d{1,9}$/.test(part);
const isSealed = (part: string) => /^[\w-]{60,180}$/.test(part);

/** The cursor at the end of a page. When nothing is new it equals the cursor that was sent (`asked`), by which clients know it. */
export function feedCursorAt(
  sealing: Sealing,
  { end, plain }: Pick<FeedPage<unknown>, 'end' | 'plain'>,
  listed: Listed,
  asked?: string,
): string {
  if (plain) return cursorAt([String(end.epoch), end.changedIn, end.id], listed);
  if (asked !== undefined && isDeepStrictEqual(readFeedCursor(sealing, asked, listed), end)) {
    const [sealed = ''] = partsOf(asked);
    if (sealing.isCurrent(sealed)) return asked;
  }
  return cursorAt([sealing.seal('feedCursor', bytesOf(end))], listed);
}

/**
 * 400 000001 when this feed did not issue the cursor, or issued it for other filters. Null for one that can't be opened: its key was
 * dropped since, and its reader begins again.
 */
export function readFeedCursor(
  sealing: Pick<Sealing, 'openBytes'>,
  cursor: string,
  listed: Listed,
): FeedPosition | null {
  if (partsOf(cursor).length === 2) {
    const [sealed = ''] = readCursor(cursor, [isSealed], listed);
    const bytes = sealing.openBytes('feedCursor', sealed);
    return bytes === null ? null : positionOf(bytes);
  }
  const [epoch = '', changedIn = '', id = ''] = readCursor(cursor, [isEpoch, isNumber, isId], listed);
  return { epoch: Number(epoch), start: null, changedIn, id, entered: null };
}

const epochBytes = 4;
/** A start of 48 bits, a transaction of 64, an id of 128. */
const pointBytes = 6 + 8 + 16;

function bytesOf({ epoch, entered, ...place }: FeedPosition): Buffer {
  const head = Buffer.alloc(epochBytes);
  head.writeUInt32BE(epoch);
  return Buffer.concat([head, bytesOfPoint(place), ...(entered === null ? [] : [bytesOfPoint(entered)])]);
}

function bytesOfPoint({ start, changedIn, id }: FeedPoint): Buffer {
  const head = Buffer.alloc(14);
  head.writeUIntBE(start ?? 0, 0, 6);
  head.writeBigUInt64BE(BigInt(changedIn), 6);
  return Buffer.concat([head, Buffer.from(id.replaceAll('-', ''), 'hex')]);
}

function positionOf(bytes: Buffer): FeedPosition {
  const entered = bytes.subarray(epochBytes + pointBytes);
  return {
    epoch: bytes.readUInt32BE(),
    ...pointOf(bytes.subarray(epochBytes)),
    entered: entered.length === 0 ? null : pointOf(entered),
  };
}

function pointOf(bytes: Buffer): FeedPoint {
  const id = bytes.toString('hex', 14, pointBytes);
  return {
    start: bytes.readUIntBE(0, 6),
    changedIn: String(bytes.readBigUInt64BE(6)),
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  };
}
