/** The promises of an OpenAPI 3.1 document: its operations, and a check for each of their responses. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface DocumentedResponse {
  /** Content types, without their parameters; none when there is no body. */
  readonly types: readonly string[];
  /** The error codes that the description or the examples name; empty where no code is promised. */
  readonly codes: ReadonlySet<string>;
  /** Headers that are always there. */
  readonly headers: readonly string[];
  /** What is wrong with a body; null when it is as promised. */
  check(body: unknown): string | null;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Where it answers: each goes before the path. */
  readonly prefixes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly answers: ReadonlyMap<number, DocumentedResponse>;
  readonly needsSignIn: boolean;
}

export interface ApiDocument {
  readonly operations: readonly Operation[];
  /** Follows references until there is none. */
  resolve(node: Schema): Schema;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it comes; what is missing fails the test.
type Node = any;

const documentId = 'openapi';

export function readDocument(document: Node): ApiDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package's type says that it has a default member, which Node's import does not give it.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // Formats of our own say something about requests; nothing that an answer is checked by.
  for (const format of ['instant', 'money']) ajv.addFormat(format, true);
  ajv.addSchema(document, documentId);

  const resolve = (node: Node): Node => {
    if (typeof node?.$ref !== 'string') return node;
    const steps = node.$ref.split('/').slice(1).map(decodeURIComponent);
    return resolve(steps.reduce((at: Node, step: string) => at[step.replaceAll('~1', '/')], document));
  };

  const answerOf = (pointer: string, answer: Node): DocumentedResponse => {
    const content = Object.entries<Node>(answer.content ?? {});
    const json = content.find(([type]) => type.startsWith('application/json'));
    const check = json && ajv.compile({ $ref: `${documentId}#${pointer}` });
    return {
      types: content.map(([type]) => type.split(';')[0] ?? ''),
      codes: new Set(String(answer.description ?? '').match(/\b\d{6}\b/g) ?? []),
      headers: Object.entries<Node>(answer.headers ?? {})
        .filter(([, header]) => resolve(header).required === true)
        .map(([name]) => name.toLowerCase()),
      check: (body) => (check === undefined || check(body) ? null : ajv.errorsText(check.errors)),
    };
  };

  const operations = Object.entries<Node>(document.paths).flatMap(([path, item]) =>
    Object.entries<Node>(item)
      .filter(([, operation]) => operation?.responses !== undefined)
      .map(([method, operation]): Operation => {
        const at = ['', 'paths', path, method, 'responses'];
        const servers: Node[] = operation.servers ?? item.servers ?? document.servers;
        const parameters: Node[] = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
        const body = resolve(operation.requestBody)?.content?.['application/json']?.schema;
        return {
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          prefixes: servers.map((server) => server.url.replace(/\/$/, '')),
          parameters: parameters.map((parameter) => ({
            name: parameter.name,
            in: parameter.in,
            required: parameter.required === true,
            schema: parameter.schema,
          })),
          body: body ?? null,
          answers: new Map(
            Object.entries<Node>(operation.responses).map(([status, answer]) => {
              const isShared = typeof answer.$ref === 'string';
              const pointer = isShared ? answer.$ref.slice(1) : pointerOf([...at, status]);
              return [
                Number(status),
                answerOf(`${pointer}/content/application~1json/schema`, resolve(answer)),
              ];
            }),
          ),
          needsSignIn: operation.security.some((scheme: Node) => 'accessToken' in scheme),
        };
      }),
  );
  return { operations, resolve };
}

function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
}
