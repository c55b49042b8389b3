/** One HTTP exchange over a socket of its own, byte for byte: an HTTP client would refuse to send half of this. */
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; of several of one name the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Long enough for everything that waits for no gateway, on a busy machine. */
const responseWithinMs = 10_000;
/** A server that waits for the rest of a request is silent for this long. */
const silenceMs = 100;

export interface ExchangeOptions {
  /** The request may be incomplete, so a response cannot be expected: the sending end is closed after a silence. */
  readonly giveUp?: boolean;
}

/** Sends the bytes and resolves to the response; null when the server closed the connection without one. Rejects on a hang. */
export function exchange(
  url: URL,
  sent: readonly Buffer[],
  { giveUp = false }: ExchangeOptions = {},
): Promise<RawResponse | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    let received = Buffer.alloc(0);
    let answer: RawResponse | null = null;
    const hang = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${responseWithinMs} ms, only: ${received}`));
    }, responseWithinMs);
    const silence = giveUp ? setTimeout(() => socket.end(), silenceMs) : undefined;
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      answer = parse(received);
      if (answer) socket.destroy();
    });
    // A server may respond and close before it has read everything.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(hang);
      clearTimeout(silence);
      resolve(answer);
    });
    for (const part of sent) socket.write(part);
  });
}

/** Null while the response is not complete. */
function parse(bytes: Buffer): RawResponse | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  // 100 Continue comes before the response.
  if (status < 200) return parse(rest);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const body = isChunked ? unchunk(rest) : takeBytes(rest, Number(headers.get('content-length') ?? 0));
  return body && { status, headers, body };
}

function takeBytes(bytes: Buffer, count: number): Buffer | null {
  return bytes.length < count ? null : bytes.subarray(0, count);
}

function unchunk(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (lineEnd < 0 || bytes.length < lineEnd + 2 + size + 2) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
