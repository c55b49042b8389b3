/**
 * Callbacks of SMS gateways: /gateways/{name}/reports, /gateways/{name}/inbound, and both at /gateways/{name}/callbacks. No
 * access token: each gateway's own signature or token authenticates it.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import type { DeliveryReport, InboundSms } from '#gateways/sms/callbacks.ts';
import type { CallbackRequest, SmsCallbacks } from '#gateways/sms/gateway.ts';
import { membersOf } from '#gateways/sms/members.ts';
import { receiveSms } from '#messaging/inbound/receive.ts';
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

/** How each path reads a callback; null for what it does not read. */
const paths: Readonly<Record<string, Read>> = {
  reports: (callbacks, callback) => ({ reports: callbacks.reports(callback), answers: null }),
  inbound: (callbacks, callback) => ({ reports: null, answers: callbacks.inbound(callback) }),
  /** For gateways that send both to one address. */
  callbacks: (callbacks, callback) => ({
    reports: callbacks.reports(callback),
    answers: callbacks.inbound(callback),
  }),
};

/** MessageMedia brings the pictures of an MMS within the request, a third longer than they are. */
const bodyAtMostBytes = 2 * 1024 * 1024;
/** Longer ids are refused: an index could not hold them. */
const idAtMost = 255;
const addressAtMost = 100;
/** The response is empty: some gateways send its text to the customer. */
const nothing = { contentType: 'text/plain', body: '' };

/** Responds 200 only when everything is recorded: after another response, or none, a gateway repeats the callback. */
export function gatewayCallbackRoutes(context: Context): FastifyPluginAsync {
  const { sms, db, clock } = context;
  const byName = new Map(membersOf(sms).map(({ name, callbacks }) => [name, callbacks]));

  /** The response does not tell an unknown gateway from a request that is not genuine. */
  function genuine(request: Request, callback: CallbackRequest): SmsCallbacks {
    const { name } = request.params;
    const callbacks = byName.get(name);
    if (attempt(request, () => callbacks?.isGenuine(callback)) && callbacks) return callbacks;
    if (callbacks) request.log.warn({ gateway: name }, 'a request that is not from the gateway was refused');
    throw new Problem('000002', { message: `There is no ${request.method} ${request.url.split('?')[0]}` });
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);

    for (const [path, read] of Object.entries(paths)) {
      app.route<{ Params: { name: string } }>({
        method: ['GET', 'POST'],
        exposeHeadRoute: false,
        bodyLimit: bodyAtMostBytes,
        config: { longUrl: true },
        url: `/gateways/:name/${path}`,
        handler: async (request, reply) => {
          const { name } = request.params;
          const callback = { url: request.url, headers: request.headers, body: bodyOf(request) };
          const callbacks = genuine(request, callback);
          // The whole callback is read before anything is recorded.
          const { reports, answers } = understood(attempt(request, () => read(callbacks, callback)));
          for (const report of reports ?? []) {
            await recordReport(db, name, report, clock.now());
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

/** A gateway's code should return null for a callback that it does not understand; when it throws, the callback is refused too, and logged. */
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
