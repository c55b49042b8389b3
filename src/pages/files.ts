/** The stylesheet and the script of all pages. Their addresses change with their content, so browsers keep them for a year. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';

interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

/** What every page's stylesheet begins with: colours and letters. The sandbox's page has it too. */
export const baseCss = readFileSync(new URL('./files/base.css', import.meta.url));

function fileOf(name: string, type: string): PageFile {
  const own = readFileSync(new URL(`./files/${name}`, import.meta.url));
  const content = name.endsWith('.css') ? Buffer.concat([baseCss, own]) : own;
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
  return { path: `/pages/${hash}/${name}`, type, content };
}

export const files = {
  css: fileOf('pages.css', 'text/css; charset=utf-8'),
  script: fileOf('pages.mjs', 'text/javascript; charset=utf-8'),
};

/** GET /pages/{hash}/{name}. */
export const pageFiles: FastifyPluginAsync = async (app) => {
  for (const { path, type, content } of Object.values(files)) {
    app.get(path, { config: { needsNoPermit: true } }, async (_, reply) =>
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(content),
    );
  }
};
