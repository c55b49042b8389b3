/** Requests to one operation: valid ones, and every kind of invalid one. */
import fc, { type Arbitrary } from 'fast-check';
import { bodyOf, rightBodyOf } from './body.ts';
import type { Operation } from './document.ts';
import type { Generators, Known } from './from-schema.ts';
import { type Header, headersOf, oddHeaders } from './headers.ts';
import { pathOf, queryOf, rightPathOf } from './target.ts';

export interface Credentials {
  readonly headers: readonly Header[];
  /** Whether they let the caller in; null where that is left to the service. */
  readonly valid: boolean | null;
}

export interface FuzzRequest {
  readonly method: string;
  /** Bytes, as latin1. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  /** False when the path is so damaged that it may lead elsewhere. */
  readonly isIntact: boolean;
  readonly signedIn: boolean | null;
}

export interface RequestParts {
  readonly generators: Generators;
  readonly known: Known;
  readonly credentials: Arbitrary<Credentials>;
}

/** Every kind of request to the operation. */
export function requestsTo(operation: Operation, parts: RequestParts): Arbitrary<FuzzRequest> {
  return fc
    .record({
      path: pathOf(operation, parts.known),
      query: queryOf(operation, parts.generators),
      credentials: parts.credentials,
      own: headersOf(operation, parts.generators),
      odd: oddHeaders,
      body: bodyOf(operation, parts.generators),
    })
    .map(({ path, query, credentials, own, odd, body }) =>
      printable({
        method: operation.method,
        target: path.text + query,
        headers: [...credentials.headers, ...own, ...(body?.headers ?? []), ...odd],
        body: body?.bytes ?? null,
        isIntact: path.isIntact && path.text.length + query.length < 3_000,
        signedIn: credentials.valid,
      }),
    );
}

/** A valid request to the operation, which the service carries out. */
export function rightRequestsTo(operation: Operation, parts: RequestParts): Arbitrary<FuzzRequest> {
  return fc
    .record({
      target: rightPathOf(operation, parts.known),
      credentials: parts.credentials,
      body: rightBodyOf(operation, parts.generators),
    })
    .map(({ target, credentials, body }) =>
      printable({
        method: operation.method,
        target,
        headers: [...credentials.headers, ...(body?.headers ?? [])],
        body: body?.bytes ?? null,
        isIntact: true,
        signedIn: credentials.valid,
      }),
    );
}

/** The bytes of a request; one connection carries one request. */
export function bytesSent({ method, target, headers, body }: FuzzRequest, host: string): Buffer[] {
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  const length: Header[] = body !== null && !isChunked ? [['content-length', String(body.length)]] : [];
  const all: Header[] = [['host', host], ['connection', 'close'], ...headers, ...length];
  const head = `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  if (body === null) return [Buffer.from(isChunked ? `${head}0\r\n\r\n` : head, 'latin1')];
  if (!isChunked) return [Buffer.from(head, 'latin1'), body];
  const size = body.length > 0 ? `${body.length.toString(16)}\r\n` : '';
  return [
    Buffer.from(head + size, 'latin1'),
    body,
    Buffer.from(body.length > 0 ? '\r\n0\r\n\r\n' : '0\r\n\r\n'),
  ];
}

/** A counterexample prints as the lines that were sent, without an end where they are many. */
function printable(request: FuzzRequest): FuzzRequest {
  const show = () => {
    const text = Buffer.concat(bytesSent(request, 'localhost')).toString('utf8');
    const visible = text.replace(/[^\n\x20-\x7e]/gu, (char) =>
      char === '\r' ? '' : JSON.stringify(char).slice(1, -1),
    );
    return visible.length > 4_000 ? `${visible.slice(0, 4_000)}… (${visible.length} characters)` : visible;
  };
  return Object.assign(request, { [fc.toStringMethod]: () => `\n${show()}\n` });
}
