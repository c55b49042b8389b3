/** The declaration of a page of the console: its address, its permission and its handler. */
import type { SafeHtml } from '@remix-run/html-template';
import type { Permission } from '#product/people/permissions.ts';
import type { HintKind } from '../live/kinds.ts';
import type { Visit, WorkshopVisit } from './visit.ts';

/** The links of a workshop's navigation. */
export type NavigationName = 'Today' | 'Week' | 'Inbox' | 'Quotes' | 'Calls' | 'Customers' | 'More';

/** A kind of record of which the stream says that it changed, or one record of it; `clock`: the page shows what time it is, and asks each minute. */
export type Live = HintKind | `${HintKind}:${string}` | 'clock';

export interface ConsolePage {
  readonly title: string;
  readonly main: SafeHtml;
  /** The link of the navigation that leads here. */
  readonly current?: NavigationName;
  /** What was just done, for the region `role=status`. */
  readonly said?: string | null;
  /** What the page shows: a change to it is on the open page within a second. Absent: it does not follow. */
  readonly live?: readonly Live[];
  /** Of the record that the page is about: once it differs, somebody else changed it, and the region `role=status` says so. */
  readonly version?: string;
  /** Somebody types here: the page is left as it is, and only says that the record changed. */
  readonly isForm?: boolean;
  /** CSS rules of this page alone. */
  readonly rules?: string;
  /** Paths of scripts of this page alone. */
  readonly scripts?: readonly string[];
  /** What was sent was refused: answered with 422, and the title says so first. */
  readonly isRefusal?: boolean;
  /** Wide: the page takes all the room there is. */
  readonly isWide?: boolean;
  /** HTML below `main`, which is sent as it is read. */
  readonly more?: AsyncIterable<string>;
}

/** A file that the browser keeps; it is sent as it is read. */
export interface Download {
  /** In plain characters. */
  readonly fileName: string;
  /** With its charset, where it is text. */
  readonly type: string;
  readonly pieces: Iterable<string | Buffer> | AsyncIterable<string>;
  /** The browser shows it, as a picture; else it is saved. */
  readonly isVisible?: boolean;
}

/** A page, a file, the address to go on to with 303, or what a script has asked for. */
export type ConsoleResponse = (
  | ConsolePage
  | Download
  | { readonly to: string }
  | { readonly json: object }
) & {
  /** The session's new token: it goes into its cookie. */
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
  /** Its form may bring a file of so many bytes, which is read for nobody who may not send it. */
  readonly uploadAtMostBytes?: number;
  /** Its page sends it again and again by itself: it is no form that is kept or counted, and no use of the session. It has a bound of its own. */
  readonly isBeat?: boolean;
}

/** At a workshop, for the script of a page: answers without a page for as long as the client stays, and with 401 where nobody is signed in. */
export interface StreamRoute {
  readonly path: string;
  readonly permission: Permission;
}

/** For whoever is signed in: `path` is below `/console/`. */
export interface PersonRoute extends Route<Visit> {
  readonly path: string;
  /** Open to whoever has no second factor at a workshop that requires one: its set-up. */
  readonly isSetUp?: boolean;
  /** A script asks for it, so it is no form that is kept for after a sign-in: its page asks again. */
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
