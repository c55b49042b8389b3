/**
 * The API document (OpenAPI 3.1), made from the declared operations. Their schemas are JSON Schema already. What is
 * added: every body gets a name and its examples, every error an example for each code, every response its headers.
 */
import type { TSchema } from 'typebox';
import { ref } from './fields.ts';
import { describeErrors, ErrorSchema, errorExamples, refusalsOf } from './openapi-errors.ts';
import type { Example, Examples } from './openapi-examples.ts';
import { errorHeaders, headerParameters, responseHeaders, successHeaders } from './openapi-headers.ts';
import { type Operation, type Success, successesOf } from './operation.ts';
import { isVersioned, tags } from './tags.ts';

type Json = Record<string, unknown>;
interface Schema extends Json {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The components that operations refer to: schemas of bodies, examples of errors. */
interface Components extends Json {
  readonly schemas: Json;
  readonly examples: Record<string, Example>;
}

/** Title, servers, security: the parts that belong to no operation. */
export interface DocumentFrame {
  readonly openapi: string;
  readonly info: Json;
  readonly securitySchemes: Json;
  readonly servers: readonly [Json, ...Json[]];
}

/** `structures` are the schemas with an `$id`, which operations refer to. */
export function apiDocument(
  frame: DocumentFrame,
  operations: readonly Operation[],
  structures: readonly TSchema[],
): Json {
  const { securitySchemes, openapi, info, servers } = frame;
  const schemas = [ErrorSchema, ...structures].map((schema) => [nameOf(schema), published(schema)]);
  const named: Components = { schemas: Object.fromEntries(schemas), examples: {} };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const made = { [method.toLowerCase()]: operationObject(operation, servers[0], named) };
    paths[path] = { ...paths[path], ...made };
  }
  const components = { securitySchemes, ...named, headers: responseHeaders };
  const areas = tags.map(({ name, description }) => ({ name, description }));
  return { openapi, info, components, paths, servers, tags: areas };
}

/** The access token and the partner's id, the id alone, or neither. */
function securityOf({ access, partnerHeader }: Operation): Json[] {
  if (access === 'partner') return [{ accessToken: [], partnerId: [] }];
  return partnerHeader ? [{ partnerId: [] }] : [];
}

function operationObject(operation: Operation, rootServer: Json, named: Components): Json {
  const { id, summary, tag, body, examples } = operation;
  const name = id.replace(/^./, (letter) => letter.toUpperCase());
  const parameters = [
    ...valueParameters('path', operation.params),
    ...valueParameters('query', operation.query),
    ...headerParameters(operation),
  ];
  return {
    ...{ operationId: id, summary, tags: [tag], description: wholeDescription(operation) },
    ...(body && {
      requestBody: {
        required: !operation.emptyBody,
        content: json(body, `${name}Body`, examples.body, named),
      },
    }),
    ...(parameters.length > 0 && { parameters }),
    security: securityOf(operation),
    ...(!isVersioned(tag) && { servers: [rootServer] }),
    responses: {
      ...successResponses(operation, name, named),
      ...errorResponses(operation, named),
    },
  };
}

/** By status; successes of one status are the contents of one response, which the first describes. */
function successResponses(operation: Operation, name: string, named: Components): Record<number, Json> {
  const responses: Record<number, Json> = {};
  for (const [index, success] of successesOf(operation).entries()) {
    const { status } = success;
    const before = responses[status];
    const schemaName = index === 0 ? `${name}Answer` : `${name}Answer${status}`;
    const content = contentOf(success, schemaName, operation.examples.answer, named);
    responses[status] = {
      description: descriptionOf(success, named),
      ...before,
      ...(content && { content: { ...(before?.['content'] as Json | undefined), ...content } }),
      headers: successHeaders(operation),
    };
  }
  return responses;
}

function contentOf(success: Success, name: string, examples: Examples | undefined, named: Components) {
  if ('schema' in success) return json(success.schema, name, examples, named);
  if (!('contentType' in success)) return undefined;
  const { contentType, example } = success;
  return { [contentType]: { schema: { type: 'string' }, example } };
}

function errorResponses(operation: Operation, named: Components): Json {
  const responses = refusalsOf(operation).map(([status, codes]) => {
    const own = errorExamples(status, codes);
    Object.assign(named.examples, own);
    const examples = Object.keys(own).map((name) => [name, { $ref: `#/components/examples/${name}` }]);
    return [
      status,
      {
        description: describeErrors(status, codes),
        content: json(ref(ErrorSchema), 'Error', Object.fromEntries(examples), named),
        headers: errorHeaders(status),
      },
    ];
  });
  return Object.fromEntries(responses);
}

/** A body of that structure, which becomes a component, so that generated clients have a name for it. */
function json(schema: TSchema, name: string, examples: object | undefined, named: Components): Json {
  let reference = published(schema);
  if (reference['$ref'] === undefined) {
    named.schemas[name] = reference;
    reference = { $ref: `#/components/schemas/${name}` };
  }
  return { 'application/json': { schema: reference, ...(examples && { examples }) } };
}

/** The description, and below it the details as a list in Markdown. */
function wholeDescription({ description, details = [] }: Operation): string {
  if (details.length === 0) return description;
  return `${description}\n\n${details.map((detail) => `- ${detail}`).join('\n')}`;
}

/** Its own description or that of its structure, also when the schema only refers to the structure. */
function descriptionOf(success: Success, named: Components): unknown {
  if (!('schema' in success)) return success.description;
  const { description, $ref } = published(success.schema) as { description?: string; $ref?: string };
  const structure = named.schemas[$ref?.split('/').at(-1) ?? ''] as Json | undefined;
  return success.description ?? description ?? structure?.['description'];
}

function valueParameters(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = schema ? published(schema) : {};
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    schema: rest,
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...{ in: place, name, required: required.includes(name), description },
  }));
}

const nameOf = (schema: TSchema) => (schema as { $id?: string }).$id ?? '';

/** A copy in standard OpenAPI keywords: this service has formats and references of its own. */
function published(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (key === '$id' || (key === 'format' && value === 'money')) return undefined;
    if (key === 'format' && value === 'instant') return 'date-time';
    if (key === 'format' && value === 'web-address') return 'uri';
    return key === '$ref' ? `#/components/schemas/${value.replace(/#$/, '')}` : value;
  });
}
