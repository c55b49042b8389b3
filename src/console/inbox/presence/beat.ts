/** A heartbeat: what a page reports of its person, repeatedly while it is visible. */
import type { SessionState } from '#product/people/sessions/state/store.ts';

export const doings = ['looking', 'typing', 'gone'] as const;
export type Doing = (typeof doings)[number];

/** After this long without a heartbeat a page counts as left. */
export const lookingMs = 18_000;
/** The same of typing: a page reports it every 3 s while somebody types. */
export const typingMs = 6_000;

/** A page with an open conversation, and its person. */
export interface Beat extends SessionState {
  readonly personId: string;
  /** As others read it. */
  readonly name: string;
  readonly conversationId: string;
  /** The page's id, made by its script: a session may have the conversation open twice. */
  readonly pageId: string;
  /** The growing number of the page's heartbeats, which may arrive by several processes and out of order. */
  readonly number: number;
  readonly doing: Doing;
}

/** A person who is present, as the others see them. */
export interface Present {
  readonly personId: string;
  readonly name: string;
  readonly isTyping: boolean;
}
