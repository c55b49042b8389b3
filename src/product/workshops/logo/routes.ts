/** GET /pages/logos/{digest}.{kind}: a logo. Its address changes with its content, so browsers keep it for a year. */
import type { FastifyPluginAsync } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { LogoKind } from './logo.ts';
import { findLogo } from './store.ts';

/** For all logos that one process keeps in memory. */
const keptAtMostBytes = 32 * 1024 * 1024;
const form = /^([\w-]{22})\.(png|jpeg|webp)$/;

/** The content type is that of the kind, and the content policy forbids everything, in case a browser treats it as a page. */
export function logoRoutes({ db }: Pick<Context, 'db'>): FastifyPluginAsync {
  const kept = new LRUCache<string, Buffer>({
    maxSize: keptAtMostBytes,
    sizeCalculation: ({ length }) => length,
  });

  async function contentOf(file: string): Promise<readonly [LogoKind, Buffer]> {
    const [, digest = '', kind = ''] = form.exec(file) ?? [];
    const found = digest === '' ? null : (kept.get(file) ?? (await findLogo(db, kind as LogoKind, digest)));
    if (found === null) throw new Problem('000002');
    kept.set(file, found);
    return [kind as LogoKind, found];
  }

  return async (app) => {
    app.get<{ Params: { file: string } }>('/pages/logos/:file', async (request, reply) => {
      const [kind, content] = await contentOf(request.params.file);
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type(`image/${kind}`)
        .send(content);
    });
  };
}
