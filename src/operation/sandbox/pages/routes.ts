/** The sandbox's pages: /sandbox with its forms, /sandbox/requests.html, and the preview of an e-mail. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { isId, newId } from '#base/values/id.ts';
import { invalidFields, Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { RequestLog } from '#platform/http/request-log.ts';
import { servePageFiles } from '#platform/pages/files.ts';
import { type Form, queryOf, requireSameOrigin } from '#platform/pages/form.ts';
import { pageScope, showPage } from '#platform/pages/scope.ts';
import { advanceClock } from '../advance-clock.ts';
import { receiveAnswer } from '../answer.ts';
import { hasOutcome } from '../requests/outcome.ts';
import { setClockRight } from '../right-clock.ts';
import { readSandboxHtml } from '../store.ts';
import { thisMachineOnly } from '../this-machine-only.ts';
import { secondsOf } from './clock.ts';
import { files } from './files.ts';
import { messagesPath, requestsPath } from './parts.ts';
import { type After, readMessage, readMessagesPage } from './read.ts';
import { readRequestFilter, requestsPage } from './requests-page.ts';
import { hrefOf, readWay } from './way.ts';

/** The preview of an e-mail may use inline styles and show the workshop's logo; it neither runs scripts nor fetches anything else. */
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** Forms name the origin that they come from, which `no-referrer` would hide. */
const headers = {
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
};

/** Browsers name the origin of each form, other programs none; a site can hide its own as `null`. Throws 403. */
function requireOwnForm(request: FastifyRequest): void {
  requireSameOrigin(request);
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === 'null' && site === undefined)
    throw new Problem('000003', { message: 'This form does not say which site it comes from.' });
}

/** `requestLog` is null where no requests are kept. The clock and the answers exist only when no gateway is real. */
export function sandboxPages(context: Context, requestLog: RequestLog | null): FastifyPluginAsync {
  const register = (app: FastifyInstance) => {
    app.get(messagesPath, async (request, reply) => {
      const query = queryOf(request);
      const after = { isClockOpen: query['clock'] === 'moved' };
      return showPage(reply, await readMessagesPage(context, readWay(query), after));
    });
    app.get<{ Params: { id: string } }>(
      '/sandbox/messages/:id/preview',
      async ({ params: { id } }, reply) => {
        const html = isId(id) ? await readSandboxHtml(context.db, id) : null;
        if (html === null) throw new Problem('120001', { message: 'There is no e-mail with that id' });
        reply.type('text/html; charset=utf-8').header('content-security-policy', previewPolicy);
        return reply.send(html);
      },
    );
    if (requestLog !== null) requests(app, requestLog);
    if (context.sandboxAlone) forms(app, context);
  };
  const pages = pageScope(register, null, { headers, requireOwnForm });
  return async (app) => {
    app.addHook('onRequest', thisMachineOnly(context.config));
    await app.register(pages);
    await app.register(servePageFiles(files));
  };
}

function requests(app: FastifyInstance, log: RequestLog): void {
  const processId = newId();
  app.get(requestsPath, async (request, reply) => {
    const filter = readRequestFilter(queryOf(request));
    const { outcome } = filter;
    const search = filter.search.toLowerCase();
    const found = (await log.list())
      .filter((each) => outcome === '' || hasOutcome(each, outcome))
      .filter(({ id, path, operationId }) =>
        `${id} ${path} ${operationId ?? ''}`.toLowerCase().includes(search),
      );
    return showPage(reply, requestsPage(filter, { requests: found, processId, redacted: log.redacted }));
  });
}

function forms(app: FastifyInstance, context: Context): void {
  /** The page again, with 422 and why the form was refused. */
  const refused = async (reply: FastifyReply, message: string | null, after: After) =>
    showPage(reply.code(422), await readMessagesPage(context, readWay(message ? { message } : {}), after));

  app.post<{ Body: Form }>('/sandbox/clock/move', async ({ body: form }, reply) => {
    try {
      const seconds = secondsOf(form);
      if (!Number.isInteger(seconds) || seconds < 1)
        throw invalidFields([{ field: 'amount', message: 'must be a whole number, 1 or more' }]);
      await advanceClock(context, seconds);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refused(reply, null, { clockTrouble: error.message });
    }
    return reply.redirect(`${messagesPath}?clock=moved`, 303);
  });

  app.post('/sandbox/clock/reset', async (_request, reply) => {
    await setClockRight(context);
    return reply.redirect(`${messagesPath}?clock=moved`, 303);
  });

  app.post<{ Body: Form }>('/sandbox/answer', async ({ body: form }, reply) => {
    // Pages of the previous release call it `id`.
    const { id: formerly = '', message: id = formerly, body = '' } = form;
    const message = isId(id) ? await readMessage(context, id) : null;
    if (message?.channel !== 'sms') throw new Problem('120001', { message: 'There is no SMS with that id' });
    const characters = [...body].length;
    if (characters < 1 || characters > 10_000) {
      const why = 'Write an answer of 1 to 10,000 characters.';
      return refused(reply, id, { answerRefused: { message: why, body } });
    }
    await receiveAnswer(context, { from: message.to, to: message.from, body });
    return reply.redirect(hrefOf(readWay({ message: id })), 303);
  });
}
