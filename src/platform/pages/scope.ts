/** A scope of routes that are pages: forms are read, headers set, refusals shown as pages. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import { respondWithProblem } from '#platform/http/problem.ts';
import { readBody } from '#platform/http/read-body.ts';
import { strangerAt } from '#platform/http/unread-memory.ts';
import { errorPage } from './error-page.ts';
import { tooLongIn } from './field-lengths.ts';
import { type Form, formAtMostBytes, readForm, requireSameOrigin } from './form.ts';
import { type Page, renderPage } from './layout.ts';
import type { Shop } from './shop.ts';
import { tooLongMain, tooLongTitle } from './too-long-page.ts';
import { readUploads } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The workshop of the page, once it is known: refusals show its phone. */
    shop: Shop | null;
    /** The service's address, for what a page must name in whole; null: not known. */
    publicUrl: string | null;
  }
}

/** Sites that a page links to do not learn its address. */
const privateHeaders = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
};

/** Options of a scope of pages. */
export interface ScopeOptions {
  /** In place of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws 403 for a form from elsewhere. */
  readonly requireOwnForm?: (request: FastifyRequest) => void;
  /** Shows a refusal, whose status the reply has. */
  readonly refuse?: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  /** Shows a form again, some of whose fields are too long; the reply has its status. */
  readonly showAgain?: (page: Again, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** A refused form as a page. */
export type Again = Pick<Page, 'title' | 'main'> & { readonly isRefusal: true };

/**
 * `register` adds the routes. Their handlers answer by `showPage` or a redirect with 303, and throw Problem. `publicUrl` is the service's
 * address, where it is known.
 */
export function pageScope(
  register: (app: FastifyInstance) => void,
  publicUrl: string | null = null,
  options: ScopeOptions = {},
): FastifyPluginAsync {
  const { headers = privateHeaders, requireOwnForm = requireSameOrigin, refuse = refuseCustomer } = options;
  const { showAgain = showCustomerAgain } = options;
  return async (app) => {
    if (!app.hasRequestDecorator('shop')) app.decorateRequest('shop', null);
    app.decorateRequest('publicUrl', publicUrl);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/x-www-form-urlencoded', (request, payload, done) =>
      readBody(
        request,
        payload,
        { atMostBytes: formAtMostBytes, sender: strangerAt(request.ip) },
        (error, body) => (error === null ? done(null, readForm(body.toString())) : done(error)),
      ),
    );
    readUploads(app);
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(headers);
      if (request.method === 'POST') requireOwnForm(request);
    });
    app.addHook('preValidation', async ({ params }) => {
      // The database has no text with it, so there is no such page.
      if (Object.values(params as Record<string, string>).some((part) => part.includes('\0')))
        throw new Problem('000002');
    });
    app.addHook('preHandler', async (request, reply) => {
      const form = request.method === 'POST' ? (request.body as Form | undefined) : undefined;
      const faults = form === undefined ? [] : tooLongIn(form);
      if (form === undefined || faults.length === 0) return undefined;
      const isUpload = request.routeOptions.config.uploadAtMostBytes !== undefined;
      const main = tooLongMain({ action: request.url, form, faults, isUpload });
      return showAgain({ title: tooLongTitle, main, isRefusal: true }, request, reply.code(422));
    });
    app.setErrorHandler((error, request, reply) =>
      refuse(respondWithProblem(error, request, reply), request, reply),
    );
    register(app);
  };
}

const refuseCustomer = (problem: Problem, request: FastifyRequest, reply: FastifyReply) =>
  showPage(reply, errorPage(problem, request.shop, request.id));

const showCustomerAgain = async (page: Again, request: FastifyRequest, reply: FastifyReply) =>
  showPage(reply, { ...page, shop: request.shop });

/** Sends a page; the status is 200 unless the reply has another. */
export function showPage(reply: FastifyReply, page: Page): FastifyReply {
  const { html, policy } = renderPage(page, reply.request.publicUrl ?? null);
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
}
