/** What a page says of its person, again and again while it is seen. */
import type { Standing } from '#product/people/sessions/standing/store.ts';

export const doings = ['looking', 'typing', 'gone'] as const;
export type Doing = (typeof doings)[number];

/** Past this a page that said nothing more counts as left. */
export const lookingMs = 18_000;
/** The same of typing: a page says it every 3 s while somebody types. */
export const typingMs = 6_000;

/** A page with an open conversation, and who is in front of it. */
export interface Beat extends Standing {
  readonly personId: string;
  /** As others read it. */
  readonly name: string;
  readonly conversationId: string;
  /** Made by the page: a session may have the conversation open twice. */
  readonly pageId: string;
  /** Of the page's beats, growing: they may come by several processes, and out of order. */
  readonly number: number;
  readonly doing: Doing;
}

/** Somebody who is there, for the others. */
export interface Present {
  readonly personId: string;
  readonly name: string;
  readonly isTyping: boolean;
}
