/**
 * The last touch on the API document: what a route's schema can't say to the plugin. Every body gets a name and its
 * examples, every error an example for each code, every response its headers.
 */
import { catalogue, type ErrorCode } from '#errors.ts';
import { type ProblemResponse, problemTitle } from './openapi.ts';
import type { Example, Examples, SuccessHeader } from './openapi-examples.ts';
import { exampleIds } from './openapi-examples.ts';
import { bodyHeaders, errorHeaders, rateLimitHeaders, responseHeaders } from './openapi-headers.ts';

type Json = Record<string, unknown>;

interface Media {
  schema: Json;
  examples?: Record<string, Example | { $ref: string }>;
}

interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
}

interface Operation extends Json {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
}

export interface ApiDocument extends Json {
  components: Record<string, Json>;
  paths: Record<string, Record<string, Operation>>;
}

/** What a route says for the document alone. */
interface Facts {
  readonly examples?: { readonly body?: Examples; readonly answer: Examples };
  readonly successHeaders: readonly SuccessHeader[];
  readonly codes: Readonly<Record<string, readonly ErrorCode[]>>;
}

const factsKey = 'x-facts';

/** Keeps a route's facts through the plugin, which copies what starts with `x-`. */
export function withFacts(schema: {
  readonly examples?: Facts['examples'];
  readonly successHeaders?: readonly SuccessHeader[];
  readonly response?: unknown;
}): Json {
  const { examples, successHeaders = [], response } = schema;
  const statuses = Object.entries((response ?? {}) as Record<string, Partial<ProblemResponse>>);
  const codes = Object.fromEntries(
    statuses.flatMap(([status, { codes }]) => (codes ? [[status, codes]] : [])),
  );
  return { ...schema, [factsKey]: { examples, successHeaders, codes } };
}

/** Headers are written as the specification writes them; the plugin gives the lower case that Node reads. */
const headerNames: Readonly<Record<string, string>> = {
  'x-partner-id': 'X-Partner-ID',
  'idempotency-key': 'Idempotency-Key',
  'if-match': 'If-Match',
};

/** Changes the document in place, and returns it. */
export function finishDocument(document: ApiDocument): ApiDocument {
  const schemas = document.components['schemas'] ?? {};
  const named: Components = { schemas, examples: {}, headers: responseHeaders };
  for (const operations of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) finishOperation(method, operation, named);
  }
  document.components = { ...document.components, ...named };
  plainFormats(document);
  return document;
}

interface Components extends Record<string, Json> {
  schemas: Json;
  examples: Json;
  headers: Json;
}

function finishOperation(method: string, operation: Operation, components: Components): void {
  const { examples, successHeaders, codes } = operation[factsKey] as Facts;
  delete operation[factsKey];
  const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'header') continue;
    parameter.name = headerNames[parameter.name] ?? parameter.name;
    // Optional to the validator, because its absence has an error code of its own.
    if (parameter.name === 'X-Partner-ID') parameter.required = true;
  }
  if (operation.requestBody)
    finishBody(operation.requestBody.content, `${name}Body`, examples?.body, components);
  const isLimited = '429' in operation.responses;
  for (const [status, response] of Object.entries(operation.responses)) {
    // A GET has no body that could be too large or of a wrong type.
    if (method === 'get' && (status === '413' || status === '415')) {
      delete operation.responses[status];
      continue;
    }
    const isError = codes[status] !== undefined;
    const body = isError ? errorExamples(Number(status), codes[status] ?? [], components) : examples?.answer;
    finishBody(response.content, `${name}Answer`, body, components);
    const headers = isError
      ? (errorHeaders[status] ?? [])
      : [
          ...successHeaders,
          ...(isLimited ? rateLimitHeaders : []),
          ...(operation.requestBody ? bodyHeaders : []),
        ];
    response.headers = Object.fromEntries(
      ['X-Request-Id', ...headers].map((header) => [header, { $ref: `#/components/headers/${header}` }]),
    );
  }
}

/** A body's structure becomes a component, so that generated clients have a name for it. */
function finishBody(
  content: Record<string, Media> | undefined,
  name: string,
  examples: Media['examples'] | undefined,
  components: Components,
): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema['$ref'] === undefined) {
      components.schemas[name] = media.schema;
      media.schema = { $ref: `#/components/schemas/${name}` };
    }
    if (examples !== undefined) media.examples = examples;
  }
}

function errorExamples(
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
): Media['examples'] {
  const names =
    codes.length > 0
      ? codes.map((code) => ({ code, name: exampleName(status, code) }))
      : [{ code: null, name: '429' }];
  return Object.fromEntries(
    names.map(({ code, name }) => {
      components.examples[name] ??= errorExample(status, code);
      return [name, { $ref: `#/components/examples/${name}` }];
    }),
  );
}

/** The code; with its status where it is not the code's usual one. */
function exampleName(status: number, code: ErrorCode): string {
  return status === catalogue[code].status[0] ? code : `${code}_${status}`;
}

function errorExample(status: number, code: ErrorCode | null): Example {
  const title = code === null ? 'Too many requests' : problemTitle(status, code);
  const field = { field: 'customerEmail', message: 'must be a valid e-mail address' };
  const isInvalidField = status === 400 && code === '000001';
  return {
    summary: title,
    value: {
      success: false,
      ...(code === null ? {} : { errorCode: code }),
      message: isInvalidField ? `${field.field}: ${field.message}` : title,
      ...(isInvalidField ? { errors: [field] } : {}),
      requestId: exampleIds.message,
    },
  };
}

/** Formats that only this service knows, in words that every reader of the document knows. */
function plainFormats(node: unknown): void {
  if (node === null || typeof node !== 'object') return;
  const schema = node as Json;
  if (schema['format'] === 'instant') schema['format'] = 'date-time';
  if (schema['format'] === 'money') delete schema['format'];
  for (const child of Object.values(schema)) plainFormats(child);
}
