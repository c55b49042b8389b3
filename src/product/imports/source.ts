/** The text of a file: its encoding is detected by its first bytes and by whether all of it is valid. */
import { OperatorError } from '#base/operator-error.ts';

/** A file that can be read more than once. */
export interface Source {
  /** The name that people know. */
  readonly name: string;
  bytes(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

const pieceBytes = 64 * 1024;

/** In chunks: parsing a whole file at once would block the event loop. */
export const sourceOf = (name: string, content: Buffer): Source => ({
  name,
  *bytes() {
    for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
  },
});

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Reads the whole file without keeping it. Throws OperatorError when it is not text. */
export async function encodingOf(source: Source): Promise<Encoding> {
  let marked: Encoding | null | undefined;
  const strict = new TextDecoder('utf-8', { fatal: true });
  let [isUtf8, hasUnassigned] = [true, false];
  for await (const chunk of source.bytes()) {
    if (chunk.length === 0) continue;
    marked ??= markOf(chunk) ?? null;
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

/** The text, chunk by chunk, without its byte order mark; every line ends with LF. */
export async function* textOf(source: Source, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let isCut = false;
  for await (const chunk of source.bytes()) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (isCut && text.startsWith('\n')) text = text.slice(1);
    isCut = text.endsWith('\r');
    yield text.replace(/\r\n?/g, '\n');
  }
  yield decoder.decode().replace(/\r\n?/g, '\n');
}
