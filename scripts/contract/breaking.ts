/** What breaks for partners between two API documents, by the operation. */
import type { ApiDocument, Content, Operation } from '../api-document.ts';
import { type Direction, type Structures, schemaBreaks } from './schema.ts';

export interface Break {
  readonly operationId: string;
  /** `body.carRego: is required now` */
  readonly what: string;
}

interface Place {
  readonly operation: Operation;
  readonly structures: Structures;
}

export function breakingChanges(before: ApiDocument, after: ApiDocument): Break[] {
  const later = placesOf(after);
  return [...placesOf(before)].flatMap(([address, one]) => {
    const other = later.get(address);
    const { operationId } = one.operation;
    const found = other === undefined ? [`${address}: is removed`] : operationBreaks(one, other);
    return found.map((what) => ({ operationId, what }));
  });
}

/** Each operation by its method and path. */
function placesOf({ paths, components }: ApiDocument): Map<string, Place> {
  const structures = (reference: string) => components.schemas[reference.split('/').at(-1) ?? ''] ?? {};
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        { operation, structures },
      ]),
    ),
  );
}

function operationBreaks(before: Place, after: Place): string[] {
  const [was, is] = [before.operation, after.operation];
  const renamed = was.operationId === is.operationId ? [] : [`operationId: is ${is.operationId} now`];
  const schemes = (operation: Operation) => operation.security.flatMap((one) => Object.keys(one));
  const asked = schemes(is).filter((scheme) => !schemes(was).includes(scheme));
  return [
    ...renamed,
    ...asked.map((scheme) => `security: ${scheme} is required now`),
    ...parameterBreaks(before, after),
    ...bodyBreaks(before, after),
    ...responseBreaks(before, after),
  ];
}

function parameterBreaks(before: Place, after: Place): string[] {
  const by = ({ operation: { parameters = [] } }: Place) =>
    new Map(parameters.map((parameter) => [`${parameter.in}.${parameter.name}`, parameter]));
  const [were, are] = [by(before), by(after)];
  const added = [...are].filter(([name, { required }]) => required && !were.get(name)?.required);
  const kept = [...were].flatMap(([name, parameter]) => {
    const next = are.get(name);
    if (next === undefined) return [`${name}: is removed`];
    const schemas = [
      { ...before, schema: parameter.schema },
      { ...after, schema: next.schema },
    ] as const;
    return schemaBreaks('request', ...schemas, name);
  });
  return [...added.map(([name]) => `${name}: is required now`), ...kept];
}

function bodyBreaks(before: Place, after: Place): string[] {
  const [was, is] = [before.operation.requestBody, after.operation.requestBody];
  const needed = is?.required && !was?.required ? ['body: is required now'] : [];
  if (was === undefined) return needed;
  if (is === undefined) return ['body: is removed'];
  return [
    ...needed,
    ...contentBreaks(
      'request',
      'body',
      { ...before, content: was.content },
      { ...after, content: is.content },
    ),
  ];
}

/** Only of successes: a refusal that is gone breaks nothing, and all refusals have one form. */
function responseBreaks(before: Place, after: Place): string[] {
  const successes = Object.entries(before.operation.responses).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, was]) => {
    const is = after.operation.responses[status];
    if (is === undefined) return [`${status}: is removed`];
    const headers = Object.keys(was.headers ?? {}).filter((name) => !(name in (is.headers ?? {})));
    return [
      ...headers.map((name) => `${status} header ${name}: is removed`),
      ...contentBreaks(
        'response',
        status,
        { ...before, content: was.content ?? {} },
        { ...after, content: is.content ?? {} },
      ),
    ];
  });
}

interface WithContent extends Place {
  readonly content: Content;
}

function contentBreaks(direction: Direction, at: string, before: WithContent, after: WithContent): string[] {
  return Object.entries(before.content).flatMap(([type, { schema }]) => {
    const next = after.content[type]?.schema;
    if (next === undefined) return [`${at}: is no ${type} any more`];
    return schemaBreaks(direction, { ...before, schema }, { ...after, schema: next }, at);
  });
}
