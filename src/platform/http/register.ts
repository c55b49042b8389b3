/** Makes Fastify's routes of declared operations: at the root and below /v1, with everything that their declaration says. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import { actors } from '#base/values/actor.ts';
import { Problem, refuseFound } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Claim, idempotencyKeyOf, once } from '#platform/idempotency/once.ts';
import { etagOf } from './etag.ts';
import {
  type Access,
  type Call,
  type Operation,
  type Route,
  type Success,
  successesOf,
} from './operation.ts';
import { resourcePath, versionPrefix } from './paths.ts';
import { respondWithError, toProblem } from './problem.ts';
import { isVersioned } from './tags.ts';
import { bodyFaults } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of the declared operation; absent for pages and for what gateways call. */
    operationId?: string;
    /** True for the operations of partners: not those of the sandbox and of health. */
    isOfPartners?: boolean;
  }
}

/** Hooks that refuse a caller without access; the first also sets the partner of the request. */
export type Guards = Readonly<Record<Exclude<Access, 'anyone'>, onRequestAsyncHookHandler>>;
type Shared = Pick<Context, 'db' | 'clock'>;

export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  guards: Guards,
  shared: Shared,
): void {
  for (const route of routes) {
    const prefixes = isVersioned(route.operation.tag) ? ['', versionPrefix] : [''];
    for (const prefix of prefixes) app.route(routeOf(route, prefix, guards, shared));
  }
}

function routeOf(
  { operation, handler }: Route,
  prefix: string,
  guards: Guards,
  shared: Shared,
): RouteOptions {
  const { id, tag, access, params, query, body, badRequestCode } = operation;
  const handle = handler as (call: unknown) => Promise<unknown>;
  return {
    method: operation.method,
    url: prefix + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    attachValidation: operation.checksBody === true,
    ...(operation.bodyAtMostBytes !== undefined && { bodyLimit: operation.bodyAtMostBytes }),
    config: {
      operationId: id,
      isOfPartners: isVersioned(tag),
      countsForPartner: access === 'partner',
      servedAlways: operation.servedAlways === true,
      emptyBody: operation.emptyBody === true,
      ...(operation.meanings && { meanings: operation.meanings }),
    },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      // Errors have a serializer of their own (problem.ts).
      response: Object.fromEntries(
        successesOf(operation).flatMap((one) => ('schema' in one ? [[one.status, one.schema]] : [])),
      ),
    },
    onRequest: access === 'anyone' ? [] : [guards[access]],
    ...(badRequestCode && {
      errorHandler: (error, request, reply) =>
        respondWithError(withCode(error, badRequestCode, request), request, reply),
    }),
    handler: async (request, reply) => {
      const call = callOf(operation, request, reply, shared);
      return answerOf(operation, reply, await handle(call));
    },
  };
}

/** Sets what the success has beside its body, which is returned. */
function answerOf(operation: Operation, reply: FastifyReply, result: unknown): unknown {
  const { success, versioned, idempotent } = operation;
  const hasVersion = versioned && !idempotent;
  const made = result as { version: number; body: unknown } & Success;
  const one = 'status' in success ? success : made;
  reply.code(one.status);
  if ('contentType' in one) reply.type(one.contentType);
  if (hasVersion) reply.header('etag', etagOf(made.version));
  if (one.status === 204) return reply.send();
  return hasVersion || one === made ? made.body : result;
}

function callOf(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  shared: Shared,
): Omit<Call<Operation>, 'once'> & { once: unknown } {
  const { partnerId, appKey, params, query, body } = request;
  // Judged before the body is.
  const key =
    operation.idempotent || operation.keyIsReference ? idempotencyKeyOf(request.headers) : undefined;
  return {
    ...{ partnerId, params, query, request, reply },
    actor: actors.partner(partnerId, appKey, request.id),
    // One that has not been accepted may be null.
    body: operation.checksBody ? (body ?? {}) : body,
    ifMatch: request.headers['if-match'],
    reference: key ?? null,
    accept: (found) => {
      refuseFound(bodyFaults(request, found));
      return body;
    },
    acceptForm: (found) => {
      if (request.validationError) refuseFound(bodyFaults(request, found));
      return body;
    },
    once: async (work: (claim: Claim | null) => Promise<unknown>) => {
      const path = resourcePath(request);
      const outcome =
        key !== undefined
          ? await once(shared, { partnerId, key, path, body }, work)
          : { replayed: false as const, result: await work(null) };
      if (operation.versioned) reply.header('etag', etagOf(1));
      if (outcome.replayed) reply.header('idempotent-replayed', 'true');
      if (outcome.replayed) return 'status' in operation.success ? outcome.body : outcome;
      if (outcome.result === null)
        throw new Error(`${operation.id} resolved to null although it had no claim`);
      return outcome.result;
    },
  };
}

/** The same refusal with the one code that the operation has for every 400. */
function withCode(
  error: unknown,
  code: Operation['badRequestCode'] & string,
  request: FastifyRequest,
): unknown {
  const problem = toProblem(error, request);
  if (problem?.status !== 400 || problem.errorCode === code) return error;
  const { message, errors } = problem;
  return new Problem(code, { message, ...(errors && { errors }) });
}
