/** The text of a file: its encoding is detected by its first bytes and by whether all of it is valid. */
import { givingWay } from '#base/give-way.ts';
import { OperatorError } from '#base/operator-error.ts';

/** A file that can be read more than once. */
export interface Source {
  /** The name that people know. */
  readonly name: string;
  bytes(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

export const sourceOf = (name: string, content: Buffer): Source => ({ name, bytes: () => [content] });

/** The size of text that is parsed in one step: a piece may be thousands of rows, each of which takes some microseconds. */
const pieceBytes = 4 * 1024;
/** In characters, of what stands between two line breaks: many times what a row may have. */
const lineAtMost = 1_000_000;

/** Small pieces of it, with turns for the event loop in between. */
async function* piecesOf(source: Source): AsyncGenerator<Buffer> {
  const giveWay = givingWay();
  for await (const chunk of source.bytes())
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      await giveWay();
      yield chunk.subarray(at, at + pieceBytes);
    }
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Reads the whole file without keeping it. Throws OperatorError when it is not text. */
export async function encodingOf(source: Source): Promise<Encoding> {
  let marked: Encoding | null | undefined;
  const strict = new TextDecoder('utf-8', { fatal: true });
  let [isUtf8, hasUnassigned] = [true, false];
  for await (const chunk of piecesOf(source)) {
    // Only at the beginning: later bytes may look like it.
    if (marked === undefined) marked = markOf(chunk) ?? null;
    if (marked !== null) return marked;
    // A text without a byte order mark contains no NUL; a spreadsheet or a picture does.
    if (chunk.includes(0)) throw notText(source);
    isUtf8 &&= fits(strict, chunk);
    for (const byte of unassigned) hasUnassigned ||= chunk.includes(byte);
  }
  if (marked === undefined) throw new OperatorError(`${source.name} is empty`);
  if (isUtf8 && fits(strict, null)) return 'utf-8';
  if (hasUnassigned) throw notText(source);
  return 'windows-1252';
}

/** Bytes that are unassigned in Windows-1252. */
const unassigned = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

function markOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // UTF-16 without a mark: one-byte letters, each beside a NUL.
  const [a, b, c, d] = bytes;
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  if (a === 0 && b && c === 0 && d) return 'utf-16be';
  return undefined;
}

function fits(decoder: TextDecoder, chunk: Buffer | null): boolean {
  try {
    decoder.decode(chunk ?? undefined, { stream: chunk !== null });
    return true;
  } catch {
    return false;
  }
}

const notText = ({ name }: Source) =>
  new OperatorError(`${name} is no text file: save it as CSV in UTF-8 (in Excel "CSV UTF-8")`);

/** The text, piece by piece, without its byte order mark; every line ends with LF. Throws OperatorError for a line that no row has. */
export async function* textOf(source: Source, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let isCut = false;
  let ofLine = 0;
  for await (const chunk of piecesOf(source)) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (isCut && text.startsWith('\n')) text = text.slice(1);
    isCut = text.endsWith('\r');
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    ofLine = end < 0 ? ofLine + text.length : text.length - end - 1;
    if (ofLine > lineAtMost)
      throw new OperatorError(
        `${source.name} has a line of more than ${lineAtMost.toLocaleString('en')} characters: save it as CSV, with one row a line`,
      );
    yield text.replace(/\r\n?/g, '\n');
  }
  yield decoder.decode().replace(/\r\n?/g, '\n');
}
