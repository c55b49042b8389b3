/**
 * The memory of what has arrived of requests and can't be worked on yet: bodies that are not complete, and requests that were
 * pipelined behind an unanswered one. Past the limit the oldest of them are ended.
 */
import type { HttpLimits } from './limits.ts';

/** The unread bytes of one request, or of one connection. */
export interface Unread {
  /** Adds this many bytes. May end others, or this one: then its `end` has been called when it returns. */
  grow(bytes: number): void;
  /** Releases its bytes. Calling it again does nothing. */
  release(): void;
}

interface Entry {
  bytes: number;
  readonly end: () => void;
}

/** The entries that share a limit, the oldest first. */
interface Holder {
  bytes: number;
  readonly entries: Set<Entry>;
}

type Limits = Pick<HttpLimits, 'strangersUnreadAtMostBytes' | 'knownUnreadAtMostBytes'>;

/** Unknown callers share one limit; known callers share another fairly, as they do request permits. */
export class UnreadMemory {
  readonly #openOfStranger: ReturnType<typeof pool>;
  readonly #openOfKnown: ReturnType<typeof pool>;

  constructor({ strangersUnreadAtMostBytes, knownUnreadAtMostBytes }: Limits) {
    this.#openOfStranger = pool((own) => own > strangersUnreadAtMostBytes);
    // More than is free: one caller alone gets half, two get a third each, and some stays free for the next.
    this.#openOfKnown = pool((own, all) => own > knownUnreadAtMostBytes - all);
  }

  /** `caller` is the partner, or what else is known; empty for a stranger. `end` is called at most once, when it has to go. */
  open(caller: string, end: () => void): Unread {
    return caller === '' ? this.#openOfStranger('', end) : this.#openOfKnown(caller, end);
  }
}

function pool(isTooMuch: (ofHolder: number, ofAll: number) => boolean) {
  const holders = new Map<string, Holder>();
  let all = 0;

  return (name: string, end: () => void): Unread => {
    const holder = holders.get(name) ?? { bytes: 0, entries: new Set() };
    holders.set(name, holder);
    const entry: Entry = { bytes: 0, end };
    holder.entries.add(entry);

    function drop(one: Entry): void {
      if (!holder.entries.delete(one)) return;
      holder.bytes -= one.bytes;
      all -= one.bytes;
      if (holder.entries.size === 0 && holders.get(name) === holder) holders.delete(name);
    }

    return {
      grow(bytes) {
        if (!holder.entries.has(entry)) return;
        entry.bytes += bytes;
        holder.bytes += bytes;
        all += bytes;
        for (const oldest of holder.entries) {
          if (!isTooMuch(holder.bytes, all)) return;
          drop(oldest);
          oldest.end();
        }
      },
      release: () => drop(entry),
    };
  };
}
