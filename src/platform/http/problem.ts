/** Turns what was thrown into the error body of the API (specification: Errors). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, type FieldError, invalidFields, Problem } from '#errors.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { urlTooLong } from './head-size.ts';
import { helpOf } from './help.ts';
import { withNearMisses } from './near-misses.ts';
import { validationFaults } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured public address of the installation, without a slash at its end; absent when it is not set. */
    publicAddress?: string;
  }
}

export interface ErrorBody {
  readonly success: false;
  readonly errorCode?: ErrorCode;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  readonly help: string;
  readonly requestId: string;
}

/** `base` is the public address of this installation; empty where it has none. */
export function errorBody(problem: Problem, requestId: string, base = ''): ErrorBody {
  return {
    success: false,
    ...(problem.errorCode === null ? {} : { errorCode: problem.errorCode }),
    message: problem.message,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...problem.details,
    help: base + helpOf(problem.errorCode),
    requestId,
  };
}

/** The problem for what Fastify itself refuses, before a handler runs. */
function refusalOf(error: FastifyError, request: FastifyRequest): Problem | null {
  if (error.validation) return invalidFields(validationFaults(request, error));
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('000005', { message: 'The body is larger than 256 KiB' });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new Problem('000006', { message: 'Send the body as Content-Type: application/json' });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return urlTooLong();
    case 'FST_ERR_BAD_URL':
      return new Problem('000001', { message: 'The URL is not valid' });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Problem('000001', { message: 'The body is empty; send a JSON object' });
  }
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return null;
  const isSyntax = error instanceof SyntaxError || /JSON/.test(error.code ?? '');
  return new Problem('000001', {
    status: status === 408 || status === 414 || status === 431 ? status : 400,
    message: isSyntax ? 'The body is not valid JSON' : 'The request is not valid',
  });
}

export function toProblem(error: unknown, request: FastifyRequest): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable) return new Problem('000007', { headers: { 'retry-after': '2' } });
  return error instanceof Error ? refusalOf(error as FastifyError, request) : null;
}

/**
 * The refusal for what was thrown, on a reply that has its status and headers. An error that is not a refusal is a bug: its stack is
 * logged and not sent. A 503 that was thrown as a Problem (overload, shutdown) is logged where it is thrown, since there may be
 * thousands a second.
 */
export function respondWithProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const problem = toProblem(error, request);
  if (problem === null) request.log.error({ err: error }, 'internal error');
  else if (problem.status === 503 && problem !== error) request.log.warn({ err: error }, 'unavailable');
  const answer = problem === null ? new Problem('000500') : withNearMisses(request, problem);
  // The ETag of a success, which the route may have set, does not describe an error.
  reply.removeHeader('etag');
  // Fastify closes the connection on a body that is too large. A client that still sends it, or a proxy, would then lose the response.
  reply.removeHeader('connection');
  reply.code(answer.status).headers(answer.headers);
  return answer;
}

/** Fastify's error handler: the error body of the API. */
export function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(
      errorBody(respondWithProblem(error, request, reply), request.id, request.server.publicAddress ?? ''),
    );
}
