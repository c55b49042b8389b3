/** The people at each conversation, by the last heartbeats of their pages: in memory, bounded, and forgotten after some seconds. */
import type { SessionState } from '#product/people/sessions/state/store.ts';
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

export interface PresenceByConversation {
  /**
   * A page that has left is kept for a while too, so that an older heartbeat does not bring it back. False: this is such a
   * heartbeat, or the conversation has as many pages as it may.
   */
  take(beat: Beat, left?: Left): boolean;
  /** The people at the conversation, each once: those who type first, then by name. */
  at(workshopId: string, conversationId: string): readonly Present[];
  /** The session's page at the conversation; null: it has none. */
  pageOf(of: Pick<SessionState, 'sessionId' | 'workshopId'>, conversationId: string): Page | null;
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
export function createPresenceByConversation(now: () => number): PresenceByConversation {
  /** By conversation, then by session and page. */
  const byConversation = new Map<string, Map<string, Page>>();
  let size = 0;

  const seen = (page: Page, atMs: number) => page.doing !== 'gone' && page.untilMs > atMs;
  const pagesOf = (conversationId: string) => byConversation.get(conversationId)?.values().toArray() ?? [];

  function forget(conversationId: string, leaves: (page: Page) => boolean): boolean {
    const pages = byConversation.get(conversationId);
    let shows = false;
    for (const [key, page] of pages ?? []) {
      if (!leaves(page)) continue;
      pages?.delete(key);
      size--;
      shows ||= page.doing !== 'gone';
    }
    if (pages?.size === 0) byConversation.delete(conversationId);
    return shows;
  }

  return {
    take(beat, { looking, typing } = usual) {
      const { conversationId, sessionId, pageId, doing } = beat;
      const key = `${sessionId} ${pageId}`;
      const pages = byConversation.get(conversationId) ?? new Map<string, Page>();
      const before = pages.get(key);
      if (before === undefined) {
        if (size >= pagesAtMost || pages.size >= pagesOfConversationAtMost) return false;
        size++;
      } else if (before.number >= beat.number) return false;
      const atMs = now();
      // Typing lasts until it expires, although heartbeats of "looking" come in between.
      const typingUntilMs = typing > 0 && doing === 'typing' ? atMs + typing : (before?.typingUntilMs ?? 0);
      pages.set(key, { ...beat, untilMs: atMs + looking, typingUntilMs });
      byConversation.set(conversationId, pages);
      return true;
    },
    at(workshopId, conversationId) {
      const atMs = now();
      const people = new Map<string, Present>();
      for (const page of pagesOf(conversationId)) {
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
      return pagesOf(conversationId).find((page) => isIts(page) && seen(page, atMs)) ?? null;
    },
    pages: () =>
      byConversation
        .values()
        .toArray()
        .flatMap((pages) => pages.values().toArray()),
    sweep() {
      const atMs = now();
      const shown: string[] = [];
      for (const conversationId of [...byConversation.keys()]) {
        const pages = byConversation.get(conversationId);
        let stopped = false;
        for (const [key, page] of pages ?? []) {
          if (page.typingUntilMs === 0 || page.typingUntilMs > atMs) continue;
          pages?.set(key, { ...page, typingUntilMs: 0 });
          stopped = true;
        }
        const left = forget(conversationId, ({ untilMs }) => untilMs <= atMs);
        if (stopped || left) shown.push(conversationId);
      }
      return shown;
    },
    keepOnly: (stands) =>
      [...byConversation.keys()].filter((conversationId) => forget(conversationId, (page) => !stands(page))),
    size: () => size,
  };
}

/** Sessions at workshops, each once. */
export function sessionStatesOf(pages: readonly Page[]): ReadonlyMap<string, SessionState> {
  return new Map(pages.map((page) => [sessionStateKey(page), page]));
}

export const sessionStateKey = ({ sessionId, workshopId, role, mayText, seesPhones }: SessionState): string =>
  [sessionId, workshopId, role, mayText, seesPhones].join();
