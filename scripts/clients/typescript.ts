/** Makes `clients/typescript/src/operations.ts` from the API document: the structures as types, and the operations. */
import {
  type ApiDocument,
  isSignedIn,
  jsonOf,
  type NamedOperation,
  operationsOf,
  type Parameter,
  type Schema,
} from '../api-document.ts';
import { comment, nameOf, objectType, typeOf } from './types.ts';

const head = `/** Made from openapi.json by \`npm run mirrors\`, so it is long: the structures and operations of the Pitlane partner API. */
import type { CallOptions } from './client.ts';
`;

const table = `/** How an operation is called. */
export interface OperationEntry {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** It needs an access token. */
  readonly signedIn?: true;
  /** It takes an \`Idempotency-Key\`. */
  readonly keyed?: true;
}
`;

export function dumpTypes(document: ApiDocument): string {
  const operations = operationsOf(document);
  const structures = Object.entries(document.components.schemas).map(structure);
  const methods = operations.map(methodOf);
  const entries = operations.map(entryOf);
  return [
    head,
    ...structures,
    `/** Each operation by its name. */\nexport interface Operations {\n${methods.join('\n')}}\n`,
    table,
    `export const operations: Readonly<Record<keyof Operations, OperationEntry>> = {\n${entries.join('')}};\n`,
  ].join('\n');
}

function structure([name, schema]: [string, Schema]): string {
  const text = comment(schema.description, '');
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmpty) return `${text}export type ${nameOf(name)} = ${typeOf(schema)};\n`;
  return `${text}export interface ${nameOf(name)} ${objectType(schema, '')}\n`;
}

/** `createBooking(request: { … }, options?: CallOptions): Promise<BookingAnswer>;` with the operation's words above it. */
function methodOf(operation: NamedOperation): string {
  const { operationId, summary, description } = operation;
  const parts = requestOf(operation);
  const isOptional = !(parts.required ?? []).length;
  const request = `request${isOptional ? '?' : ''}: ${typeOf(parts, '    ')}`;
  const said = comment(`${summary}.\n\n${description}`, '  ');
  return `${said}  ${operationId}(\n    ${request},\n    options?: CallOptions,\n  ): Promise<${answerOf(operation)}>;\n`;
}

/** The parts of a request: `path`, `query`, `headers` and `body`. */
function requestOf({ parameters = [], requestBody }: NamedOperation): Schema {
  const places = { path: 'path', query: 'query', header: 'headers' } as const;
  const parts: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [place, name] of Object.entries(places)) {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) continue;
    parts[name] = valuesOf(own);
    if (own.some((parameter) => parameter.required)) required.push(name);
  }
  const body = jsonOf(requestBody?.content)?.schema;
  if (body !== undefined) parts['body'] = body;
  if (requestBody?.required) required.push('body');
  return { type: 'object', properties: parts, required };
}

function valuesOf(parameters: readonly Parameter[]): Schema {
  const properties = parameters.map(({ name, schema, description }) => [name, { ...schema, description }]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function answerOf({ responses }: NamedOperation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = successes.map(([, { content }]) => {
    const schema = jsonOf(content)?.schema;
    return schema ? typeOf(schema) : 'void';
  });
  return [...new Set(types)].join(' | ');
}

function entryOf(operation: NamedOperation): string {
  const { operationId, method, path, parameters = [] } = operation;
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  const flags = `${isSignedIn(operation) ? ', signedIn: true' : ''}${isKeyed ? ', keyed: true' : ''}`;
  return `  ${operationId}: { method: '${method}', path: '${path}'${flags} },\n`;
}
