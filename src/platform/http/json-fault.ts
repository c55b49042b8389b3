/** Where a text ceases to be JSON. V8's own messages have the place of some faults only, and quote the text. */
import jsonc from 'jsonc-parser';

/** The longest text in which the place of a fault is looked for: a longer one would hold up other requests. */
const lengthAtMost = 64 * 1024;

/** `at line 2, column 13`, both counted from 1; empty: it is not known. */
export function jsonFaultPlace(text: string): string {
  if (text.length > lengthAtMost) return '';
  const first = firstFault(text);
  if (first === null) return '';
  const before = text.slice(0, first);
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
  const isEnd = first >= text.trimEnd().length;
  return `${isEnd ? 'it ends too early, ' : ''}at line ${line}, column ${column}`;
}

/** The offset of the first fault; null: none is found, or it is nested more deeply than the stack. */
function firstFault(text: string): number | null {
  let first: number | null = null;
  try {
    jsonc.visit(
      text,
      {
        onError(_code, offset) {
          first = offset;
          // Ends the reading: a text may have a fault at each character.
          throw new Error('a fault');
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch {
    return first;
  }
  return first;
}
