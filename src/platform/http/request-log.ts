/**
 * The last requests of partners with their responses, for the sandbox. Each process keeps its own in memory: nothing is written,
 * so a request pays almost nothing, and a restart loses them.
 */
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#base/clock.ts';
import { isRehearsed } from '#base/rehearsed.ts';
import { jsonWithoutSecrets, pathWithoutSecrets, withoutSecrets } from '#base/values/secrets.ts';
import { catalogue, type ErrorCode, type FieldError } from '#errors.ts';

export const requestsAtMost = 200;
/** The length at which a stored body is cut, in characters. */
const bodyAtMost = 4_000;
/** Bytes of a body, characters of a response: longer ones are not kept, so that waiting requests take little memory. */
const keptAtMost = 16 * 1024;
/** A longer refusal is not parsed; the code and the failing fields fit into this length. */
const refusalReadAtMost = 64 * 1024;
const tooLong = '… longer than 16 KiB';
/** How long a request waits for its secrets to be removed. Of the requests that arrive meanwhile only the last are kept. */
const settleAfterMs = 500;
/** Other requests are served between two turns. */
const settledInATurn = 5;

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
  /** The value of `X-Partner-ID` as sent. */
  readonly partnerId: string | null;
  readonly status: number;
  /** From the request to its response, in milliseconds. */
  readonly durationMs: number;
  /** The fields of the body that the operation does not know. */
  readonly ignoredFields: readonly string[];
  readonly replayed: boolean;
  readonly errorCode: ErrorCode | null;
  readonly message: string | null;
  readonly errors: readonly FieldError[];
  /** JSON texts, cut at 4,000 characters; of one that was longer than 16 KiB no more than that is said. */
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
  /** True when it was too long to be kept. */
  readonly bodyIsTooLong: boolean;
  readonly answerIsTooLong: boolean;
};

export interface RequestLog {
  /** Newest first. */
  list(): Promise<readonly LoggedRequest[]>;
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

  let settling = Promise.resolve();

  /** Calls run one after the other, so that the order is kept. */
  function settle(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    settling = settling.then(settleWaiting);
    return settling;
  }

  async function settleWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    for (let at = 0; at < taken.length; at += settledInATurn) {
      if (at > 0) await setImmediate();
      const made = taken.slice(at, at + settledInATurn).map((raw) => loggedOf(raw, redacted));
      settled = [...settled, ...made].slice(-requestsAtMost);
    }
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    if (isOfPartner(request) && !isRehearsed()) {
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
    async list() {
      await settle();
      return settled.toReversed();
    },
  };
}

function isOfPartner({ routeOptions: { config }, headers }: FastifyRequest): boolean {
  if (config.operationId !== undefined) return config.isOfPartners === true;
  return headers['x-partner-id'] !== undefined;
}

function rawOf(request: FastifyRequest, reply: FastifyReply, payload: unknown, at: Date): Raw {
  const { id, method, url, headers, routeOptions } = request;
  const partner = headers['x-partner-id'];
  const bodyIsTooLong = request.bodyBytes > keptAtMost;
  const answer = typeof payload === 'string' ? payload : null;
  const answerLength = answer?.length ?? 0;
  return {
    ...{ id, at, method, url, status: reply.statusCode, durationMs: reply.elapsedTime },
    operationId: routeOptions.config.operationId ?? null,
    route: routeOptions.url ?? null,
    partner: typeof partner === 'string' ? partner.slice(0, 64) : null,
    ignored: String(reply.getHeader('pitlane-ignored-fields') ?? ''),
    replayed: reply.hasHeader('idempotent-replayed'),
    body: bodyIsTooLong ? null : request.body,
    answer: answerLength <= (reply.statusCode < 400 ? keptAtMost : refusalReadAtMost) ? answer : null,
    bodyIsTooLong,
    answerIsTooLong: answerLength > keptAtMost,
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
    partnerId: raw.partner === null ? null : copied(withoutSecrets(raw.partner)),
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
    requestBody: raw.bodyIsTooLong ? tooLong : bodyText(raw.body, redacted),
    responseBody: raw.answerIsTooLong ? tooLong : bodyText(answer, redacted),
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
    const text = jsonWithoutSecrets(body, { valuesToo: redacted, wanted: bodyAtMost });
    return text.length > bodyAtMost ? `${copied(text.slice(0, bodyAtMost - 1))}…` : text;
  } catch {
    // Nested so deeply that it was refused.
    return null;
  }
}

/** A part of a string keeps the whole one in memory; its copy does not. */
const copied = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le');
