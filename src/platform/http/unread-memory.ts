/**
 * The memory of what has arrived of requests and can't be worked on yet: bodies that are not complete, and requests that were
 * pipelined behind an unanswered one. Past a limit some of them are ended.
 */

import { networkOf } from '#base/values/network.ts';
import type { HttpLimits } from './limits.ts';

/** The unread bytes of one request, or of one connection. */
export interface Unread {
  /** Adds this many bytes. May end others, or this one: then its `end` has been called when it returns. */
  grow(bytes: number): void;
  /** Releases its bytes. Calling it again does nothing. */
  release(): void;
}

/**
 * The sender of a body: a partner or gateway that is known by the head of the request; a session of the console that has signed in; or
 * anybody else, by their network.
 */
export type Sender =
  | { readonly known: string }
  | { readonly session: string }
  | { readonly stranger: string };

/** A stranger by their address: the addresses of one customer of a provider are one sender. */
export const strangerAt = (address: string | undefined): Sender => ({ stranger: networkOf(address ?? '') });

interface Entry {
  bytes: number;
  readonly end: () => void;
}

/** The entries of a sender, the oldest first. */
interface Holder {
  readonly name: string;
  bytes: number;
  readonly entries: Set<Entry>;
}

type Limits = Pick<
  HttpLimits,
  'strangersUnreadAtMostBytes' | 'sessionsUnreadAtMostBytes' | 'knownUnreadAtMostBytes'
>;

/** Returns the holder whose oldest entry has to go, when `own` has just grown and all have `all` bytes; null: there is room. */
type Choose = (own: Holder, all: number, holders: Iterable<Holder>) => Holder | null;

/**
 * Known callers share a limit fairly, as they do request permits. Sessions share one of their own, and strangers another: past it,
 * the sender with most goes first.
 */
export class UnreadMemory {
  readonly #openOfStranger: ReturnType<typeof pool>;
  readonly #openOfSession: ReturnType<typeof pool>;
  readonly #openOfKnown: ReturnType<typeof pool>;

  constructor(limits: Limits) {
    const { strangersUnreadAtMostBytes, sessionsUnreadAtMostBytes, knownUnreadAtMostBytes } = limits;
    this.#openOfStranger = pool(mostAbove(strangersUnreadAtMostBytes));
    this.#openOfSession = pool(mostAbove(sessionsUnreadAtMostBytes));
    // More than is free: one caller alone gets half, two get a third each, and some stays free for the next.
    this.#openOfKnown = pool((own, all) => (own.bytes > knownUnreadAtMostBytes - all ? own : null));
  }

  /** `end` is called at most once, when it has to go. */
  open(sender: Sender, end: () => void): Unread {
    if ('known' in sender) return this.#openOfKnown(sender.known, end);
    if ('session' in sender) return this.#openOfSession(sender.session, end);
    return this.#openOfStranger(sender.stranger, end);
  }
}

/** Chooses the holder with most; of those who have as much, the one who has just grown. Each search ends a request, so there are few. */
function mostAbove(atMostBytes: number): Choose {
  return (own, all, holders) => {
    if (all <= atMostBytes) return null;
    let most = own;
    for (const holder of holders) if (holder.bytes > most.bytes) most = holder;
    return most;
  };
}

function pool(choose: Choose) {
  const holders = new Map<string, Holder>();
  let all = 0;

  return (name: string, end: () => void): Unread => {
    const holder = holders.get(name) ?? { name, bytes: 0, entries: new Set() };
    holders.set(name, holder);
    const entry: Entry = { bytes: 0, end };
    holder.entries.add(entry);

    function drop(one: Entry, from: Holder): void {
      if (!from.entries.delete(one)) return;
      from.bytes -= one.bytes;
      all -= one.bytes;
      if (from.entries.size === 0 && holders.get(from.name) === from) holders.delete(from.name);
    }

    return {
      grow(bytes) {
        if (!holder.entries.has(entry)) return;
        entry.bytes += bytes;
        holder.bytes += bytes;
        all += bytes;
        for (;;) {
          const most = choose(holder, all, holders.values());
          const [oldest] = most?.entries ?? [];
          if (most === null || oldest === undefined) return;
          drop(oldest, most);
          oldest.end();
        }
      },
      release: () => drop(entry, holder),
    };
  };
}
