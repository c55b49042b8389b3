/**
 * Characters that are not shown but do something to what is: control characters (C0, DEL, C1), by which terminals take orders, controls
 * of direction, and Unicode's separators of lines.
 */

const lineBreak = /[\v\f\u0085]/g;
const control = /[\p{Cc}--[\t\n\r]]/gv;
const acting = /[\p{Cc}--[\t\n]]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gv;
/** How `styleText` colours. */
const colour = /(\u001b\[[\d;]*m)/;

/** Without control characters, which no text of people has; tabs and line breaks stay, and the controls that end a line become such. */
export function withoutControls(text: string): string {
  return text.replace(lineBreak, '\n').replace(control, '');
}

/** Each of these characters as `\u202e`, tabs and line breaks aside: JSON that is escaped so means the same. */
export function escapedControls(text: string): string {
  return text.replace(acting, (character) => escapeOf(character));
}

/** For a terminal: without any of them, but with colours, tabs and line breaks. */
export function terminalText(text: string): string {
  return text
    .split(colour)
    .map((piece, n) => (n % 2 === 1 ? piece : piece.replace(acting, '')))
    .join('');
}

/**
 * Escapes a line of JSON whose texts will be shown as they are, such as one of the log: a text shows `\u001b` where it has an escape. Line
 * breaks and tabs stay.
 */
export function escapedTwice(json: string): string {
  const escaped = /\\(?:\\|[bfr]|u[0-9a-f]{4})/g;
  return escapedControls(json).replace(escaped, (found) => (found === '\\\\' ? found : `\\${found}`));
}

const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
