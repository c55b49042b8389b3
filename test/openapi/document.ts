/** The API document for its tests: typed as far as they look, with a validator of its schemas. */
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { TestApp } from '../harness/app.ts';

export interface Reference {
  readonly $ref: string;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Media {
  readonly schema: Reference;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: AnySchema;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Document {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface NamedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

export async function readDocument(app: TestApp): Promise<Document> {
  const { status, body } = await app.request('GET', '/openapi.json');
  if (status !== 200) throw new Error(`/openapi.json gave ${status}`);
  return body;
}

export function operationsOf(document: Document): NamedOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method, path })),
  );
}

/** What a `#/…` reference points to; undefined when it points nowhere. */
export function follow(document: Document, { $ref }: Reference): unknown {
  const parts = $ref.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>(
    (node, part) => (node as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/')],
    document,
  );
}

export function exampleOf(document: Document, example: Example | Reference): Example {
  return '$ref' in example ? (follow(document, example) as Example) : example;
}

/** The statuses and responses of an operation's successes: each has at least one. */
export function successesOf(operation: Operation): { status: number; response: Response }[] {
  const found = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  if (found.length === 0) throw new Error(`${operation.operationId} has no success`);
  return found.map(([status, response]) => ({ status: Number(status), response }));
}

export function jsonOf(content: Readonly<Record<string, Media>>): Media {
  const media = content['application/json'];
  if (!media) throw new Error('there is no application/json');
  return media;
}

/** Returns what is wrong with a value by a schema of the document; an empty text when nothing is. */
export function validatorOf(document: Document): (schema: AnySchema, value: unknown) => string {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats as Record<string, RegExp> });
  ajv.addSchema(document, 'document');
  return (schema, value) => {
    const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
    const validate = ajv.compile(inDocument);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}
