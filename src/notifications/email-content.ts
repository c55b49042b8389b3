/** The content of an e-mail. Its text part and its HTML part are made from it, so they carry the same facts. */

export interface EmailContent {
  readonly subject: string;
  /** Shown by mail programs after the subject. */
  readonly preview: string;
  readonly workshopName: string;
  /** Paragraphs, separated by an empty line. */
  readonly body: string;
  /** Labels with their values. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Answers of customers. */
  readonly quotes: readonly (readonly [writer: string, words: string])[];
  /** Why the recipient gets the e-mail, and how to unsubscribe. */
  readonly footer: string;
}

/** Texts come from people and partners: normalises line ends and removes other control characters. */
export function plain(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '');
}
