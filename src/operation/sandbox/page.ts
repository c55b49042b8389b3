/** GET /sandbox: the page that shows sent messages. Its files are static; its data comes from the sandbox's API. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { baseCss, siteCss } from '#platform/pages/files.ts';
import { siteTop } from '#platform/pages/site-top.ts';
import { magicNumberRows } from './magic-numbers.ts';
import { readSandboxHtml } from './store.ts';
import { thisMachineOnly } from './this-machine-only.ts';

const folder = new URL('./page/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};

const closed = "base-uri 'none'; form-action 'none'";
/** The page may load only its own files and call only its own server. */
const pagePolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; ${closed}; frame-ancestors 'none'`;
/** The preview of an e-mail may use inline styles, and neither runs scripts nor fetches anything. */
const previewPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; ${closed}; frame-ancestors 'self'; sandbox`;

/** Parts of the page that exist only when no gateway is real. */
const aloneOnly = /<!-- alone -->[\s\S]*?<!-- \/alone -->\n?/g;

/** The files are read once, when the plugin is registered. Where the sandbox is alone, the page has the clock and the answers. */
export function sandboxPage({ db, config, sandboxAlone }: Context): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', thisMachineOnly(config));
    const contents = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))] as const);
    const shared = [['base.css', baseCss] as const, ['site.css', siteCss] as const];
    for (const [name, content] of [...contents, ...shared]) {
      const type = types[extname(name)];
      if (type === undefined) throw new Error(`the sandbox page holds ${name}, which has no content type`);
      const text = String(content)
        .replace('<!-- magic numbers -->', magicNumberRows)
        .replace('<!-- site -->', () => String(siteTop('/sandbox', true)))
        .replaceAll(sandboxAlone ? /<!-- \/?alone -->\n?/g : aloneOnly, '');
      const url = name === 'index.html' ? '/sandbox' : `/sandbox/${name}`;
      app.get(url, async (_request, reply) => {
        reply
          .type(type)
          .header('content-security-policy', pagePolicy)
          .header('referrer-policy', 'no-referrer');
        return text;
      });
    }

    app.get<{ Params: { id: string } }>(
      '/sandbox/messages/:id/preview',
      async ({ params: { id } }, reply) => {
        const html = isId(id) ? await readSandboxHtml(db, id) : null;
        if (html === null) throw new Problem('120001', { message: 'There is no e-mail with that id' });
        reply.type('text/html; charset=utf-8').header('content-security-policy', previewPolicy);
        return reply.header('referrer-policy', 'no-referrer').send(html);
      },
    );
  };
}
