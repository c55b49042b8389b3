/** The content of an e-mail. Its text part and its HTML part are rendered from it, so they contain the same facts. */

import type { CarriedLogo } from '#product/workshops/logo/store.ts';

export interface EmailContent {
  readonly subject: string;
  /** Shown by mail programs after the subject. */
  readonly preview: string;
  readonly workshopName: string;
  /** The workshop's, `#rrggbb`; null: the default. */
  readonly colour: string | null;
  /** Shown in place of its name; absent or null: none. */
  readonly logo?: CarriedLogo | null;
  /** Above everything else, including the preview. */
  readonly topLine?: string;
  /** Paragraphs, separated by an empty line. */
  readonly body: string;
  /** Actions on a page, after the paragraphs: a button, and in plain text a line with the address. */
  readonly actions?: readonly { readonly label: string; readonly url: string }[];
  /** Labels with their values. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The phones as they are written in the texts, with their E.164 numbers: they become links. */
  readonly phones: ReadonlyMap<string, string>;
  /** Answers of customers, each with the address that replies to it, if there is one. */
  readonly quotes: readonly (readonly [writer: string, words: string, replyTo?: string | null])[];
  /** After the details. */
  readonly closing: string;
  /** Why the recipient gets the e-mail, and how to unsubscribe. */
  readonly footer: string;
}

/**
 * Normalises texts of people and partners: line ends, spaces before them and other control characters. The look-behind keeps the
 * search linear for a line with many spaces in the middle.
 */
export function plain(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '');
}
