/** The declaration of a page of the console: its address, its permission and its handler. */
import type { SafeHtml } from '@remix-run/html-template';
import type { Permission } from '#product/people/permissions.ts';
import type { HintKind } from '../live/kinds.ts';
import type { Visit, WorkshopVisit } from './visit.ts';

/** The links of a workshop's navigation. */
export type NavigationName = 'Today' | 'Week' | 'Inbox' | 'Quotes' | 'Calls' | 'Customers' | 'More';

/**
 * A kind of record whose changes the stream announces, or one record of that kind; `clock`: the page shows the time, and is
 * fetched each minute.
 */
export type Live = HintKind | `${HintKind}:${string}` | 'clock';

export interface ConsolePage {
  readonly title: string;
  readonly main: SafeHtml;
  /** The link of the navigation that leads here. */
  readonly current?: NavigationName;
  /** The action just done, for the region `role=status`. */
  readonly said?: string | null;
  /** The records that the page shows: the open page shows a change within a second. Absent: the page does not follow. */
  readonly live?: readonly Live[];
  /**
   * The version of the page's record: when it differs, somebody else has changed the record, and the region `role=status` says so.
   */
  readonly version?: string;
  /** The age that its values may have at the request: the stream then repeats changes from before it. */
  readonly behindMs?: number;
  /** The page is a form: updates leave it as it is, and only say that the record changed. */
  readonly isForm?: boolean;
  /** CSS rules of this page alone. */
  readonly rules?: string;
  /** Paths of scripts of this page alone. */
  readonly scripts?: readonly string[];
  /** The form was refused: the status is 422, and the title begins with it. */
  readonly isRefusal?: boolean;
  /** The page uses the whole width. */
  readonly isWide?: boolean;
  /** HTML below `main`, streamed as it is read. */
  readonly more?: AsyncIterable<string>;
}

/** A file; it is streamed as it is read. */
export interface Download {
  /** In plain characters. */
  readonly fileName: string;
  /** With its charset, where it is text. */
  readonly type: string;
  readonly pieces: Iterable<string | Buffer> | AsyncIterable<string>;
  /** The browser shows it, such as a picture; else it saves it. */
  readonly isVisible?: boolean;
}

/** A page, a file, the address of a redirect (303), or JSON for a script. */
export type ConsoleResponse = (
  | ConsolePage
  | Download
  | { readonly to: string }
  | { readonly json: object }
) & {
  /** The session's new token, for its cookie. */
  readonly sessionToken?: string;
};

interface Route<V extends Visit> {
  readonly method: 'GET' | 'POST';
  /** Throws Problem: a refusal is shown as a page. */
  handle(visit: V): Promise<ConsoleResponse>;
}

/** At a workshop: `path` is below `/console/w/{slug}/`. */
export interface WorkshopRoute extends Route<WorkshopVisit> {
  readonly path: string;
  readonly permission: Permission;
  /** The most bytes of a file in its form. The permission is checked before the file is read. */
  readonly uploadAtMostBytes?: number;
  /**
   * The page's script sends it repeatedly: it is neither kept nor counted as a form, and does not prolong the session. It has its
   * own rate limit.
   */
  readonly isBeat?: boolean;
  /** Its form changes nothing that a page of a replica shows, such as one that asks for a file: what follows it may be old. */
  readonly onlyAsks?: boolean;
}

/** At a workshop, for a page's script: an event stream that lasts as long as the client stays; 401 if nobody is signed in. */
export interface StreamRoute {
  readonly path: string;
  readonly permission: Permission;
}

/** For every signed-in person: `path` is below `/console/`. */
export interface PersonRoute extends Route<Visit> {
  readonly path: string;
  /** Also open to people without the second factor that their workshop requires: the set-up of one. */
  readonly isSetUp?: boolean;
  /** A script sends it, so it is not kept until after a sign-in: the page sends it again. */
  readonly isScripted?: boolean;
}

export const page = (
  path: string,
  permission: Permission,
  handle: WorkshopRoute['handle'],
): WorkshopRoute => ({
  method: 'GET',
  path,
  permission,
  handle,
});

export const change = (
  path: string,
  permission: Permission,
  handle: WorkshopRoute['handle'],
): WorkshopRoute => ({
  method: 'POST',
  path,
  permission,
  handle,
});
