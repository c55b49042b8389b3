/** The reference, the guide, the API document and the index: what a partner's developer reads. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { allowsDemo } from '#base/config/demo.ts';
import { Problem } from '#errors.ts';
import { reachesSandbox } from '#operation/sandbox/this-machine-only.ts';
import type { Context } from '#platform/context.ts';
import { preferredType } from '#platform/http/negotiate.ts';
import { askAgain, keepForAYear, sendStatic } from '#platform/http/static-text.ts';
import { servePageFiles } from '#platform/pages/files.ts';
import { pageScope, showPage } from '#platform/pages/scope.ts';
import { firstGuidePath } from '#platform/pages/site-top.ts';
import { demoBookingPath, demoCredentials } from '../demo/demo.ts';
import { clientPackage, clientPackagePath } from './client-package.ts';
import { documentRoute } from './document.ts';
import { files } from './files.ts';
import { guidePage } from './guide.ts';
import { indexPage } from './index-page.ts';
import { referencePage } from './page.ts';
import { scalarPath, scalarScript } from './scalar-script.ts';

const nothingHere = new Problem('000002', {
  message: 'There is no GET /; the reference is at /docs, its document at /openapi.json',
});

export function referenceRoutes(context: Context, makeDocument: () => object): FastifyPluginAsync {
  const { config, db } = context;
  const unlimited = { config: { needsNoPermit: true } };
  const showsSandbox = (request: FastifyRequest) => context.sandbox && reachesSandbox(config, request);
  /** Null except on this machine: from elsewhere there is no demo to sign in to. */
  const demoOf = async (request: FastifyRequest) =>
    allowsDemo(config) && showsSandbox(request) ? demoCredentials(db) : null;

  return async (app) => {
    await app.register(documentRoute(makeDocument, allowsDemo(config)));
    await app.register(servePageFiles(files));
    app.get(scalarPath, unlimited, async (request, reply) =>
      sendStatic(request, reply, await scalarScript(), keepForAYear),
    );
    app.get(clientPackagePath, unlimited, async (_, reply) =>
      reply
        .type('application/gzip')
        .header('cache-control', askAgain)
        .send(await clientPackage()),
    );
    app.get('/docs', async (request, reply) => {
      const { html, policy } = referencePage(await demoOf(request), showsSandbox(request));
      reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer');
      return reply.type('text/html; charset=utf-8').send(html);
    });
    await app.register(
      pageScope((pages) => {
        pages.get('/docs/guide', unlimited, async (_, reply) => reply.redirect(firstGuidePath, 302));
        pages.get<{ Params: { name: string } }>('/docs/guide/:name', unlimited, async (request, reply) =>
          showPage(
            reply,
            guidePage(request.params.name, {
              origin: config.publicUrl ?? originOf(request),
              hasSandbox: showsSandbox(request),
            }),
          ),
        );
      }),
    );
    app.get('/', async (request, reply) => {
      // Programs get a 404 here.
      if (preferredType(request.headers, ['application/json', 'text/html']) !== 'text/html')
        throw nothingHere;
      const demo = await demoOf(request);
      const bookingPath = demo && (await demoBookingPath(context, demo));
      return showPage(reply, indexPage({ demo, bookingPath, hasSandbox: showsSandbox(request) }));
    });
  };
}

/** As the client names this installation. */
const originOf = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}`;
