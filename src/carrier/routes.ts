/**
 * What SMS gateways bring: /gateways/{name}/reports and /gateways/{name}/inbound. No access token: each gateway's own
 * signature or token says that it is the gateway.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import type { CallbackRequest, SmsCallbacks } from '#gateways/sms/gateway.ts';
import { receiveSms } from '#messaging/inbound/receive.ts';
import { recordReport } from './record-report.ts';

type ByName = { Params: { name: string } };

/** Answered only when all is recorded: a gateway that gets another answer, or none, brings it again. */
export function carrierRoutes(context: Context): FastifyPluginAsync {
  const { sms, db, clock } = context;
  const byName = new Map((sms.members ?? [sms]).map(({ name, callbacks }) => [name, callbacks]));

  /** A gateway that there is not and a request that is not genuine are told nothing. */
  function genuine(request: FastifyRequest<ByName>): [SmsCallbacks, CallbackRequest] {
    const { name } = request.params;
    const callbacks = byName.get(name);
    const callback = { url: request.url, headers: request.headers, body: bodyOf(request) };
    if (callbacks?.isGenuine(callback)) return [callbacks, callback];
    if (callbacks) request.log.warn({ gateway: name }, 'a request that is not from the gateway was refused');
    throw new Problem('000002', { message: `There is no ${request.method} ${request.url.split('?')[0]}` });
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
    const route = { method: ['GET', 'POST'], exposeHeadRoute: false, schema: { hide: true } };

    app.route<ByName>({
      ...route,
      url: '/gateways/:name/reports',
      handler: async (request, reply) => {
        const [callbacks, callback] = genuine(request);
        for (const report of understood(callbacks.reports(callback))) {
          await recordReport(db, request.params.name, report, clock.now());
        }
        return reply.type('text/plain').send('');
      },
    });

    app.route<ByName>({
      ...route,
      url: '/gateways/:name/inbound',
      handler: async (request, reply) => {
        const [callbacks, callback] = genuine(request);
        for (const answer of understood(callbacks.inbound(callback))) {
          await receiveSms(context, request.params.name, answer);
        }
        // Some gateways send what they are answered back to the customer.
        return reply.type('text/plain').send('');
      },
    });
  };
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function understood<T>(read: readonly T[] | null): readonly T[] {
  if (read === null) throw new Problem('000001', { message: 'What the gateway brought can not be read' });
  return read;
}
