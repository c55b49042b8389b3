/**
 * Callbacks of SMS gateways: /gateways/{name}/reports, /gateways/{name}/inbound, and both at /gateways/{name}/callbacks. No
 * access token: each gateway's own signature or token authenticates it.
 */
import type { FastifyPluginAsync, FastifyRequest, RequestPayload } from 'fastify';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { DeliveryReport, InboundSms } from '#platform/gateways/sms/callbacks.ts';
import type { CallbackRequest, CallbackSender, SmsCallbacks } from '#platform/gateways/sms/gateway.ts';
import { membersOf } from '#platform/gateways/sms/members.ts';
import { type BodyDone, readBody } from '#platform/http/read-body.ts';
import { noSuchPath } from '#platform/http/unknown-routes.ts';
import { strangerAt } from '#platform/http/unread-memory.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { countReport } from './count-report.ts';
import { optInAtGateway } from './opt-in.ts';
import { recordReport } from './record-report.ts';

type Request = FastifyRequest<{ Params: { name: string } }>;

/** The content of one callback. */
interface Brought {
  readonly reports: readonly DeliveryReport[] | null;
  readonly answers: readonly InboundSms[] | null;
}
type Read = (callbacks: SmsCallbacks, callback: CallbackRequest) => Brought;

/** How each path parses a callback; null for content that it does not support. */
const paths: Readonly<Record<string, Read>> = {
  reports: (callbacks, callback) => ({ reports: callbacks.reports(callback), answers: null }),
  inbound: (callbacks, callback) => ({ reports: null, answers: callbacks.inbound(callback) }),
  /** For gateways that send both to one address. */
  callbacks: (callbacks, callback) => ({
    reports: callbacks.reports(callback),
    answers: callbacks.inbound(callback),
  }),
};

/** The longest SMS is 20 KB as a form. */
const usualBodyAtMostBytes = 64 * 1024;
/** Longer ids are refused, because the index can't contain them. */
const idAtMost = 255;
const addressAtMost = 100;
/** The response is empty: some gateways send its text to the customer. */
const nothing = { contentType: 'text/plain', body: '' };

/** Responds 200 only when everything is recorded: after another response, or none, a gateway repeats the callback. */
export function gatewayCallbackRoutes(context: Context): FastifyPluginAsync {
  const { sms } = context;
  const byName = new Map(membersOf(sms).map(({ name, callbacks }) => [name, callbacks]));

  /** The response does not distinguish an unknown gateway from a request that is not genuine. */
  function refused(request: Request): Problem {
    const { name } = request.params;
    if (byName.has(name))
      request.log.warn({ gateway: name }, 'a request that is not from the gateway was refused');
    return noSuchPath(request);
  }

  /** The callbacks of the gateway in the path, and who sent the request; null when the request is not genuine. */
  function expected(request: Request): { callbacks: SmsCallbacks; sender: CallbackSender } | null {
    const callbacks = byName.get(request.params.name);
    const sender = callbacks && attempt(request, () => callbacks.senderOf(request));
    return callbacks && sender && sender !== 'stranger' ? { callbacks, sender } : null;
  }

  function readCallback(request: Request, payload: RequestPayload, done: BodyDone): void {
    const { callbacks, sender } = expected(request) ?? {};
    const limits = {
      atMostBytes: callbacks?.bodyAtMostBytes ?? usualBodyAtMostBytes,
      sender: sender === 'gateway' ? { known: `gateway ${request.params.name}` } : strangerAt(request.ip),
    };
    readBody(request, payload, limits, done);
  }

  function genuine(request: Request, callback: CallbackRequest): SmsCallbacks {
    const callbacks = byName.get(request.params.name);
    if (attempt(request, () => callbacks?.isGenuine(callback)) && callbacks) return callbacks;
    throw refused(request);
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (request, payload, done) =>
      readCallback(request as Request, payload, done),
    );

    for (const [path, read] of Object.entries(paths)) {
      app.route<{ Params: { name: string } }>({
        method: ['GET', 'POST'],
        exposeHeadRoute: false,
        config: { longUrl: true },
        url: `/gateways/:name/${path}`,
        onRequest: async (request) => {
          if (expected(request) === null) throw refused(request);
        },
        handler: async (request, reply) => {
          const { name } = request.params;
          const callback = { url: request.url, headers: request.headers, body: bodyOf(request) };
          const callbacks = genuine(request, callback);
          // The whole callback is parsed before anything is recorded.
          const { reports, answers } = understood(attempt(request, () => read(callbacks, callback)));
          for (const report of reports ?? []) {
            await recordReport(context, name, report);
            countReport(context, name, report);
          }
          for (const answer of answers ?? []) {
            await receiveSms(context, name, answer);
            await optInAtGateway(context, name, answer);
          }
          const { contentType, body } = callbacks.answer ?? nothing;
          return reply.type(contentType).send(body);
        },
      });
    }
  };
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** A gateway's parser should return null for an unsupported callback; if it throws, the callback is refused too, and logged. */
function attempt<T>(request: Request, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    request.log.error({ err: error, gateway: request.params.name }, 'a request from a gateway was not read');
    return null;
  }
}

function understood(brought: Brought | null): Brought {
  const { reports = null, answers = null } = brought ?? {};
  const isRead = reports !== null || answers !== null;
  if (isRead && (answers ?? []).every(isStorable)) return { reports, answers };
  throw new Problem('000001', { message: 'What the gateway brought can not be read' });
}

function isStorable({ gatewayId, from, to }: InboundSms): boolean {
  return isShort(gatewayId, idAtMost) && isShort(from, addressAtMost) && isShort(to, addressAtMost);
}

function isShort(text: string, length: number): boolean {
  return text.length <= length && !text.includes('\0');
}
