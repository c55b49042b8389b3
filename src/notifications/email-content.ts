/** What an e-mail says, before it is a text or HTML: both parts are made from it, so they carry the same facts. */

export interface EmailContent {
  readonly subject: string;
  /** What an inbox shows after the subject. */
  readonly preview: string;
  readonly workshopName: string;
  /** Paragraphs, apart by an empty line. */
  readonly body: string;
  /** A label with its value each. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Who wrote, and what. */
  readonly quotes: readonly (readonly [writer: string, words: string])[];
  /** Why the recipient gets it, and how to end that. */
  readonly footer: string;
}

/** Texts come from people and partners: one kind of line end, and no other control characters. */
export function plain(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '');
}
