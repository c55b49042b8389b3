/** Requests to one operation: right ones, and every kind of wrong one. */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter } from './document.ts';
import type { Generators, Known } from './from-schema.ts';
import { type Json, writeJson } from './json-text.ts';
import { anyBody, damage, headerText, headerValue, wildText } from './wild.ts';

export type Header = readonly [name: string, value: string];

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

/** Requests to the operation; a counterexample prints as the lines that were sent. */
export function requestsTo(operation: Operation, parts: RequestParts): Arbitrary<FuzzRequest> {
  return fc
    .record({
      path: pathOf(operation, parts),
      query: queryOf(operation, parts),
      credentials: parts.credentials,
      own: headersOf(operation, parts),
      odd: oddHeaders,
      body: bodyOf(operation, parts.generators),
    })
    .map(({ path, query, credentials, own, odd, body }) => {
      const request: FuzzRequest = {
        method: operation.method,
        target: path.text + query,
        headers: [...credentials.headers, ...own, ...(body?.headers ?? []), ...odd],
        body: body?.bytes ?? null,
        isIntact: path.isIntact && path.text.length + query.length < 3_000,
        signedIn: credentials.valid,
      };
      return Object.assign(request, { [fc.toStringMethod]: () => `\n${show(request)}\n` });
    });
}

/** The request as the operation wants it, for the service to do its work. */
export function rightRequestsTo(operation: Operation, parts: RequestParts): Arbitrary<FuzzRequest> {
  const path = operation.path.split('/').map((segment, index, all) => {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    return name === undefined ? fc.constant(segment) : knownId(parts.known, name, all[index - 1]);
  });
  const body = operation.body ? parts.generators.right(operation.body, '').map(bytesOf) : fc.constant(null);
  return fc
    .record({
      prefix: fc.constantFrom(...operation.prefixes),
      path: fc.tuple(...path),
      credentials: parts.credentials,
      body,
    })
    .map(({ prefix, path: segments, credentials, body: bytes }) => {
      const request: FuzzRequest = {
        method: operation.method,
        target: prefix + segments.join('/'),
        headers: [...credentials.headers, ...(bytes ? [['content-type', 'application/json'] as const] : [])],
        body: bytes,
        isIntact: true,
        signedIn: credentials.valid,
      };
      return Object.assign(request, { [fc.toStringMethod]: () => `\n${show(request)}\n` });
    });
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

function show(request: FuzzRequest): string {
  const text = Buffer.concat(bytesSent(request, 'localhost')).toString('utf8');
  const visible = text.replace(/[^\n\x20-\x7e]/gu, (char) =>
    char === '\r' ? '' : JSON.stringify(char).slice(1, -1),
  );
  return visible.length > 4_000 ? `${visible.slice(0, 4_000)}… (${visible.length} characters)` : visible;
}

function bytesOf(value: Json): Buffer {
  return Buffer.from(writeJson(value));
}

// Paths ---------------------------------------------------------------------------------------------------------------

interface PathPart {
  readonly text: string;
  readonly isIntact: boolean;
}

const encodeAll = (text: string) =>
  Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, '');

/** Whatever the text, one segment of a path. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, encodeAll);
}

function knownId(known: Known, name: string, before: string | undefined): Arbitrary<string> {
  const meaning = name === 'id' ? `${before?.replace(/s$/, '')}Id` : name;
  return known(meaning) ?? fc.uuid();
}

const brokenSegments = fc.constantFrom(
  ...[
    '',
    '.',
    '..',
    '%',
    '%z',
    '%zz',
    '%00',
    '%C0%80',
    '%ff',
    '%u0041',
    '%2e%2e',
    '%2f',
    '%5c',
    'a/b',
    '//',
    ';',
    ';a=b',
    ':id',
  ],
  ...[
    '*',
    '\\',
    '\xff',
    Buffer.from('漢👍').toString('latin1'),
    '{id}',
    '?',
    '#',
    '%2500',
    '|',
    '^',
    '"',
    '<>',
    '$ref',
    "'",
  ],
  ...['x'.repeat(1_000), 'x'.repeat(4_200), 'x'.repeat(17_000)],
);

function segmentOf(ids: Arbitrary<string>): Arbitrary<PathPart> {
  const intact = (text: string): PathPart => ({ text, isIntact: text !== '' });
  return fc.oneof(
    { weight: 24, arbitrary: ids.map(intact) },
    { weight: 1, arbitrary: ids.map((id) => intact(id.toUpperCase())) },
    { weight: 1, arbitrary: ids.map((id) => intact(encodeAll(id))) },
    { weight: 1, arbitrary: ids.map((id) => intact(`${id}%20`)) },
    { weight: 2, arbitrary: fc.uuid().map(intact) },
    { weight: 2, arbitrary: wildText.map((text) => intact(encodeSegment(text))) },
    { weight: 2, arbitrary: brokenSegments.map((text) => ({ text, isIntact: false })) },
  );
}

function pathOf(operation: Operation, { known }: RequestParts): Arbitrary<PathPart> {
  const segments = operation.path.split('/').map((segment, index, all) => {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    return name === undefined
      ? fc.constant<PathPart>({ text: segment, isIntact: true })
      : segmentOf(knownId(known, name, all[index - 1]));
  });
  const ending = fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('/', '//', '/.', '/..', '%20', '.json', '/%2e%2e/x') },
  );
  return fc
    .tuple(fc.constantFrom(...operation.prefixes), fc.tuple(...segments), ending)
    .map(([prefix, parts, end]) => ({
      text: prefix + parts.map(({ text }) => text).join('/') + end,
      isIntact: end === '' && parts.every(({ isIntact }) => isIntact),
    }));
}

// Queries -------------------------------------------------------------------------------------------------------------

const brokenQueries = fc.constantFrom(
  ...[
    '?',
    '?&&=&',
    '?%',
    '?%zz=1',
    '?a=%00',
    '?__proto__=1',
    '?constructor[prototype]=1',
    '?limit[]=1',
    '?limit=1&limit=2',
  ],
  ...[
    '?cursor=a&cursor=b',
    '?limit=999999999999999999999',
    '?limit=1e2',
    '?limit=0x10',
    '?limit=-0',
    '?limit=%31',
    '?limit=+5',
  ],
  ...[
    `?${Buffer.from('ключ=значение').toString('latin1')}`,
    `?x=${'y'.repeat(5_000)}`,
    '?limit=1;cursor=2',
    '?#limit=1',
    '?limit',
  ],
);

function queryOf(operation: Operation, { generators: { right } }: RequestParts): Arbitrary<string> {
  const named = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pairs = named.map((parameter) => {
    const values = fc.oneof(
      { weight: 4, arbitrary: right(parameter.schema, parameter.name).map(plain) },
      { weight: 1, arbitrary: wildText },
      { weight: 1, arbitrary: fc.constantFrom('0', '-1', '201', '1000', '1001', 'true', 'null', '[]', '') },
    );
    const several = fc.array(values, { minLength: 1, maxLength: 2, size: 'max' });
    return fc
      .oneof(
        { weight: 4, arbitrary: fc.constant<string[]>([]) },
        { weight: 3, arbitrary: values.map((value) => [value]) },
        { weight: 1, arbitrary: several },
      )
      .map((all) => all.map((value) => `${parameter.name}=${encodeURIComponent(value.toWellFormed())}`));
  });
  const together = fc.tuple(...pairs).map((all) => (all.flat().length > 0 ? `?${all.flat().join('&')}` : ''));
  return fc.oneof(
    { weight: 12, arbitrary: together },
    { weight: named.length > 0 ? 3 : 1, arbitrary: brokenQueries },
  );
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : writeJson(value);
}

// Headers -------------------------------------------------------------------------------------------------------------

function headersOf(operation: Operation, { generators: { right } }: RequestParts): Arbitrary<Header[]> {
  const named = operation.parameters.filter(
    (parameter) => parameter.in === 'header' && !isCredential(parameter),
  );
  const each = named.map(({ name, schema }) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Header[]>([]) },
      {
        weight: 3,
        arbitrary: right(schema, name).map((value): Header[] => [[name, headerValue(plain(value))]]),
      },
      { weight: 1, arbitrary: headerText.map((value): Header[] => [[name, value]]) },
      {
        weight: 1,
        arbitrary: fc.tuple(headerText, headerText).map((all): Header[] => all.map((value) => [name, value])),
      },
    ),
  );
  return fc.tuple(...each).map((all) => all.flat());
}

/** Sent with the credentials, right or wrong. */
function isCredential({ name }: Parameter): boolean {
  return /^(?:x-partner-id|authorization)$/i.test(name);
}

const oddHeaders: Arbitrary<Header[]> = fc.oneof(
  { weight: 16, arbitrary: fc.constant<Header[]>([]) },
  {
    weight: 2,
    arbitrary: fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/).map((id): Header[] => [['x-request-id', id]]),
  },
  { weight: 1, arbitrary: headerText.map((value): Header[] => [['x-request-id', value]]) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Header[]>(
      ...([
        [['accept', 'text/csv;q=0, */*;q=-1, \xff']],
        [['accept-encoding', 'gzip, br, identity;q=0']],
        [['accept-language', 'xx-'.repeat(100)]],
        [['expect', '100-continue']],
        [['transfer-encoding', 'chunked']],
        [['content-encoding', 'gzip']],
        [
          ['origin', 'null'],
          ['cookie', 'a=b; __proto__=c'],
        ],
        [
          ['forwarded', 'for="[::1]";proto=https'],
          ['x-forwarded-host', 'evil.example'],
        ],
        [['x-http-method-override', 'DELETE']],
        [
          ['range', 'bytes=0-0'],
          ['if-none-match', '*'],
        ],
        [['x-padding', 'x'.repeat(9_000)]],
        [['x-padding', 'x'.repeat(40_000)]],
        Array.from({ length: 90 }, (_, count) => [`x-${count}`, 'y']),
        [
          ['upgrade', 'websocket'],
          ['sec-websocket-key', 'x'],
        ],
      ] satisfies Header[][]),
    ),
  },
);

// Bodies --------------------------------------------------------------------------------------------------------------

interface Body {
  readonly bytes: Buffer;
  readonly headers: readonly Header[];
}

const otherTypes = fc.constantFrom(
  ...[
    '',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '/',
  ],
  ...[
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
    '\xff',
  ],
  ...[
    'application/problem+json',
    'application/jsonx',
    'application/json; charset="utf-8"; a=b',
    'x'.repeat(5_000),
  ],
);

function bodyOf(operation: Operation, { right, almostRight }: Generators): Arbitrary<Body | null> {
  const json: readonly Header[] = [['content-type', 'application/json']];
  const types = fc.oneof(
    { weight: 24, arbitrary: fc.constant(json) },
    { weight: 1, arbitrary: fc.constant<readonly Header[]>([]) },
    { weight: 1, arbitrary: otherTypes.map((type): readonly Header[] => [['content-type', type]]) },
  );
  const asBody = (bytes: Arbitrary<Buffer>) => fc.record({ bytes, headers: types });
  if (operation.body === null) {
    return fc.oneof(
      { weight: 10, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: asBody(anyBody.map((text) => Buffer.from(text))) },
    );
  }
  const rightText = right(operation.body, '').map(writeJson);
  return fc.oneof(
    { weight: 6, arbitrary: asBody(rightText.map((text) => Buffer.from(text))) },
    { weight: 10, arbitrary: asBody(almostRight(operation.body).map(bytesOf)) },
    { weight: 2, arbitrary: asBody(anyBody.map((text) => Buffer.from(text))) },
    { weight: 2, arbitrary: asBody(fc.tuple(rightText, damage).map(([text, spoil]) => spoil(text))) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}
