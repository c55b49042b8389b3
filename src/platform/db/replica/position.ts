/** Positions in PostgreSQL's log (WAL), and which of them the primary had reached when. */

/** Bytes since the beginning of the log. */
export type Position = bigint;

/** Parses a text like `16/B374D848`. */
export function positionOf(text: string): Position {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const headerAtMost = 40n;

/**
 * The primary names the place of its next record, behind the header of a new page; the replica the end of the last record, before that header. Where
 * there is nothing but a header between them nothing is missing: the shortest record is as long as the rest of the longest header.
 */
export function withoutHeader(position: Position, pageBytes: number): Position {
  const inPage = position % BigInt(pageBytes);
  return inPage <= headerAtMost ? position - inPage : position;
}

/** The positions that the primary had reached in the last seconds, each with the time before it was asked. */
export interface Reached {
  add(atMs: number, position: Position): void;
  /** The position that a replica must have replayed to lack nothing that was visible `maxAgeMs` ago; null: unknown. */
  neededFor(maxAgeMs: number, nowMs: number): Position | null;
  /** The newest time of which a replica that has come to `replayed` lacks nothing; null: it is not in memory. */
  newestIn(replayed: Position): number | null;
  isEmpty(): boolean;
  forget(): void;
}

export function createReached(keptMs: number): Reached {
  /** The oldest first; times and positions only grow. */
  let all: readonly { readonly atMs: number; readonly position: Position }[] = [];
  return {
    add(atMs, position) {
      all = [...all.filter((one) => one.atMs >= atMs - keptMs), { atMs, position }];
    },
    neededFor: (maxAgeMs, nowMs) => all.find(({ atMs }) => atMs >= nowMs - maxAgeMs)?.position ?? null,
    newestIn: (replayed) => all.findLast(({ position }) => position <= replayed)?.atMs ?? null,
    isEmpty: () => all.length === 0,
    forget() {
      all = [];
    },
  };
}
