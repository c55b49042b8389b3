/** The text of a file: its encoding is found by its first bytes and by whether all of it fits. */
import { OperatorError } from '#base/operator-error.ts';

/** A file that can be read more than once. */
export interface Source {
  /** As people know it. */
  readonly name: string;
  bytes(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

const pieceBytes = 64 * 1024;

/** In pieces: while a whole file was taken apart at once nothing else would run. */
export const sourceOf = (name: string, content: Buffer): Source => ({
  name,
  *bytes() {
    for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
  },
});

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Reads the whole file, and keeps none of it. Throws OperatorError when it is no text. */
export async function encodingOf(source: Source): Promise<Encoding> {
  let marked: Encoding | null | undefined;
  const strict = new TextDecoder('utf-8', { fatal: true });
  let [isUtf8, hasUnassigned] = [true, false];
  for await (const chunk of source.bytes()) {
    if (chunk.length === 0) continue;
    marked ??= markOf(chunk) ?? null;
    if (marked !== null) return marked;
    // Programs that write no mark write no NUL either, unless the file is a spreadsheet or a picture.
    if (chunk.includes(0)) throw notText(source);
    isUtf8 &&= fits(strict, chunk);
    for (const byte of unassigned) hasUnassigned ||= chunk.includes(byte);
  }
  if (marked === undefined) throw new OperatorError(`${source.name} is empty`);
  if (isUtf8 && fits(strict, null)) return 'utf-8';
  if (hasUnassigned) throw notText(source);
  return 'windows-1252';
}

/** Bytes that mean nothing in Windows-1252. */
const unassigned = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

function markOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Without a mark: letters of one byte, each beside a NUL.
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

/** The text, piece by piece, without its byte order mark; every line ends with LF. */
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
