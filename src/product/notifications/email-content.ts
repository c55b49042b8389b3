/** The content of an e-mail. Its text part and its HTML part are made from it, so they carry the same facts. */

export interface EmailContent {
  readonly subject: string;
  /** Shown by mail programs after the subject. */
  readonly preview: string;
  readonly workshopName: string;
  /** Of the workshop, `#rrggbb`; null: the usual one. */
  readonly colour: string | null;
  /** Above everything else, the preview too. */
  readonly topLine?: string;
  /** Paragraphs, separated by an empty line. */
  readonly body: string;
  /** What can be done on a page, after the paragraphs: a button, and in plain text a line with the address. */
  readonly actions?: readonly { readonly label: string; readonly url: string }[];
  /** Labels with their values. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The phones that the texts may name, as they stand there, with their E.164 numbers: they become links. */
  readonly phones: ReadonlyMap<string, string>;
  /** Answers of customers, with the address that replies to one, where there is one. */
  readonly quotes: readonly (readonly [writer: string, words: string, replyTo?: string | null])[];
  /** After the details. */
  readonly closing: string;
  /** Why the recipient gets the e-mail, and how to unsubscribe. */
  readonly footer: string;
}

/**
 * Texts come from people and partners: normalises line ends, removes spaces before them and other control characters. The look-behind
 * keeps the search linear where a line has many spaces in its middle.
 */
export function plain(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '');
}
