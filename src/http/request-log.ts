/**
 * The last requests of partners with their answers, for the sandbox: kept in memory, by each process for itself. Nothing is written
 * for it, so it costs a request next to nothing; a restart forgets it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#clock.ts';
import { catalogue, type ErrorCode, type FieldError } from '#errors.ts';
import { jsonWithoutSecrets, pathWithoutSecrets, withoutSecrets } from '#values/secrets.ts';

export const requestsAtMost = 200;
/** Of a body as it is kept, in characters. */
const bodyAtMost = 4_000;
/** A longer answer is not read. */
const answerReadAtMost = 64 * 1024;
/** How long a request waits for its secrets to be removed. Of those that come meanwhile only the last are worked on. */
const settleAfterMs = 500;

export interface LoggedRequest {
  /** The `X-Request-Id`. */
  readonly id: string;
  /** The business time. */
  readonly at: Date;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Null: there is no such operation. */
  readonly operationId: string | null;
  /** As it was sent in `X-Partner-ID`. */
  readonly partnerId: string | null;
  readonly status: number;
  /** From the request to its answer, in milliseconds. */
  readonly durationMs: number;
  /** The fields of the body that the operation does not know. */
  readonly ignoredFields: readonly string[];
  readonly replayed: boolean;
  readonly errorCode: ErrorCode | null;
  readonly message: string | null;
  readonly errors: readonly FieldError[];
  /** JSON texts, cut at 4,000 characters. */
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

/** A request as it came. It is kept for half a second at most. */
type Raw = Pick<
  LoggedRequest,
  'id' | 'at' | 'method' | 'operationId' | 'status' | 'durationMs' | 'replayed'
> & {
  readonly url: string;
  /** The path of its route; null: it has none. */
  readonly route: string | null;
  readonly partner: string | null;
  readonly ignored: string;
  readonly body: unknown;
  readonly answer: string | null;
};

export interface RequestLog {
  /** Newest first. */
  list(): readonly LoggedRequest[];
  /** True when values of bodies and queries are not kept. */
  readonly redacted: boolean;
}

export interface RequestLogOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly redacted: boolean;
}

/** Logs requests to the operations of partners, and those to no operation that carry an `X-Partner-ID`. Call it before any route is registered. */
export function logRequests(app: FastifyInstance, { clock, redacted }: RequestLogOptions): RequestLog {
  let settled: LoggedRequest[] = [];
  let waiting: Raw[] = [];
  let timer: NodeJS.Timeout | null = null;

  function settle(): void {
    const made = waiting.map((raw) => loggedOf(raw, redacted));
    settled = [...settled, ...made].slice(-requestsAtMost);
    waiting = [];
    timer = null;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    if (isOfPartner(request)) {
      if (waiting.length === requestsAtMost) waiting.shift();
      waiting.push(rawOf(request, reply, payload, clock.now()));
      timer ??= setTimeout(settle, settleAfterMs).unref();
    }
    done();
  });
  app.addHook('onClose', async () => {
    if (timer !== null) clearTimeout(timer);
  });

  return {
    redacted,
    list() {
      if (timer !== null) clearTimeout(timer);
      settle();
      return settled.toReversed();
    },
  };
}

function isOfPartner({ routeOptions: { config }, headers }: FastifyRequest): boolean {
  if (config.operationId !== undefined) return config.isOfPartners === true;
  return headers['x-partner-id'] !== undefined;
}

function rawOf(request: FastifyRequest, reply: FastifyReply, payload: unknown, at: Date): Raw {
  const { id, method, url, body, headers, routeOptions } = request;
  const partner = headers['x-partner-id'];
  return {
    ...{ id, at, method, url, body, status: reply.statusCode, durationMs: reply.elapsedTime },
    operationId: routeOptions.config.operationId ?? null,
    route: routeOptions.url ?? null,
    partner: typeof partner === 'string' ? partner.slice(0, 64) : null,
    ignored: String(reply.getHeader('pitlane-ignored-fields') ?? ''),
    replayed: reply.hasHeader('idempotent-replayed'),
    answer: typeof payload === 'string' && payload.length <= answerReadAtMost ? payload : null,
  };
}

interface Refusal {
  readonly errorCode?: ErrorCode;
  readonly message?: string;
  readonly errors?: readonly FieldError[];
}

function loggedOf(raw: Raw, redacted: boolean): LoggedRequest {
  const { id, at, method, operationId, status, replayed } = raw;
  const answer = parsed(raw.answer);
  const { errorCode = null, message = null, errors = [] } = status >= 400 ? ((answer ?? {}) as Refusal) : {};
  return {
    ...{ id, at, method, operationId, status, replayed },
    path: redacted ? (raw.route ?? '…') : pathWithoutSecrets(raw.url),
    partnerId: raw.partner === null ? null : withoutSecrets(raw.partner),
    durationMs: Math.round(raw.durationMs * 10) / 10,
    ignoredFields:
      raw.ignored === ''
        ? []
        : raw.ignored.split(',').map((name) => withoutSecrets(decodeURIComponent(name))),
    errorCode,
    message: message === null ? null : redacted ? titleOf(errorCode) : withoutSecrets(message),
    errors: errors.map(({ field, message: what }) => ({
      field: withoutSecrets(field),
      message: withoutSecrets(what),
    })),
    requestBody: bodyText(raw.body, redacted),
    responseBody: bodyText(answer, redacted),
  };
}

/** A message may quote a value; the title of its code does not. */
const titleOf = (code: ErrorCode | null) => (code === null ? null : catalogue[code].title);

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    // A text of another form, such as a table.
    return null;
  }
}

/** Null where there is none, or where it can't be shown. */
function bodyText(body: unknown, redacted: boolean): string | null {
  if (body === null || body === undefined || Buffer.isBuffer(body)) return null;
  try {
    const text = jsonWithoutSecrets(body, { valuesToo: redacted });
    return text.length > bodyAtMost ? `${text.slice(0, bodyAtMost - 1)}…` : text;
  } catch {
    // Nested so deeply that it was refused.
    return null;
  }
}
