/** The people at each conversation, by the last heartbeats of their pages: in memory, bounded, and forgotten after some seconds. */
import type { Standing } from '#product/people/sessions/standing/store.ts';
import { type Beat, lookingMs, type Present, typingMs } from './beat.ts';

/** The most pages of all conversations, and of one: further pages are not shown. */
export const pagesAtMost = 5_000;
export const pagesOfConversationAtMost = 50;

/** A page's last heartbeat, with the times at which it expires, in milliseconds of the process. */
export interface Page extends Beat {
  readonly untilMs: number;
  /** 0: nobody types. */
  readonly typingUntilMs: number;
}

/** How long a heartbeat is still valid, in ms; a new one: for its whole time. */
interface Left {
  readonly looking: number;
  readonly typing: number;
}

export interface Rooms {
  /**
   * A page that has left is kept for a while too, so that an older heartbeat does not bring it back. False: this is such a
   * heartbeat, or the room is full.
   */
  take(beat: Beat, left?: Left): boolean;
  /** The people at the conversation, each once: those who type first, then by name. */
  at(workshopId: string, conversationId: string): readonly Present[];
  /** The session's page at the conversation; null: it has none. */
  pageOf(of: Pick<Standing, 'sessionId' | 'workshopId'>, conversationId: string): Page | null;
  /** Every page, also those that have just left. */
  pages(): readonly Page[];
  /** Forgets expired pages; returns the conversations whose people changed by it. */
  sweep(): readonly string[];
  /** Forgets pages of sessions that have ended or changed; returns the same. */
  keepOnly(stands: (page: Page) => boolean): readonly string[];
  size(): number;
}

const usual: Left = { looking: lookingMs, typing: typingMs };

/** `now`: a monotonic clock in milliseconds. */
export function createRooms(now: () => number): Rooms {
  /** By conversation, then by session and page. */
  const rooms = new Map<string, Map<string, Page>>();
  let size = 0;

  const seen = (page: Page, atMs: number) => page.doing !== 'gone' && page.untilMs > atMs;
  const roomOf = (conversationId: string) => rooms.get(conversationId)?.values().toArray() ?? [];

  function forget(conversationId: string, leaves: (page: Page) => boolean): boolean {
    const room = rooms.get(conversationId);
    let shows = false;
    for (const [key, page] of room ?? []) {
      if (!leaves(page)) continue;
      room?.delete(key);
      size--;
      shows ||= page.doing !== 'gone';
    }
    if (room?.size === 0) rooms.delete(conversationId);
    return shows;
  }

  return {
    take(beat, { looking, typing } = usual) {
      const { conversationId, sessionId, pageId, doing } = beat;
      const key = `${sessionId} ${pageId}`;
      const room = rooms.get(conversationId) ?? new Map<string, Page>();
      const before = room.get(key);
      if (before === undefined) {
        if (size >= pagesAtMost || room.size >= pagesOfConversationAtMost) return false;
        size++;
      } else if (before.number >= beat.number) return false;
      const atMs = now();
      // Typing lasts until it expires, although heartbeats of "looking" come in between.
      const typingUntilMs = typing > 0 && doing === 'typing' ? atMs + typing : (before?.typingUntilMs ?? 0);
      room.set(key, { ...beat, untilMs: atMs + looking, typingUntilMs });
      rooms.set(conversationId, room);
      return true;
    },
    at(workshopId, conversationId) {
      const atMs = now();
      const people = new Map<string, Present>();
      for (const page of roomOf(conversationId)) {
        if (page.workshopId !== workshopId || !seen(page, atMs)) continue;
        const { personId, name } = page;
        const isTyping = page.typingUntilMs > atMs || people.get(personId)?.isTyping === true;
        people.set(personId, { personId, name, isTyping });
      }
      return people
        .values()
        .toArray()
        .toSorted((a, b) => Number(b.isTyping) - Number(a.isTyping) || (a.name < b.name ? -1 : 1));
    },
    pageOf({ sessionId, workshopId }, conversationId) {
      const atMs = now();
      const isIts = (page: Page) => page.sessionId === sessionId && page.workshopId === workshopId;
      return roomOf(conversationId).find((page) => isIts(page) && seen(page, atMs)) ?? null;
    },
    pages: () =>
      rooms
        .values()
        .toArray()
        .flatMap((room) => room.values().toArray()),
    sweep() {
      const atMs = now();
      const shown: string[] = [];
      for (const conversationId of [...rooms.keys()]) {
        const room = rooms.get(conversationId);
        let stopped = false;
        for (const [key, page] of room ?? []) {
          if (page.typingUntilMs === 0 || page.typingUntilMs > atMs) continue;
          room?.set(key, { ...page, typingUntilMs: 0 });
          stopped = true;
        }
        const left = forget(conversationId, ({ untilMs }) => untilMs <= atMs);
        if (stopped || left) shown.push(conversationId);
      }
      return shown;
    },
    keepOnly: (stands) =>
      [...rooms.keys()].filter((conversationId) => forget(conversationId, (page) => !stands(page))),
    size: () => size,
  };
}

/** Sessions at workshops, each once. */
export function standingsOf(pages: readonly Page[]): ReadonlyMap<string, Standing> {
  return new Map(pages.map((page) => [standingKey(page), page]));
}

export const standingKey = ({ sessionId, workshopId, role, mayText, seesPhones }: Standing): string =>
  [sessionId, workshopId, role, mayText, seesPhones].join();
