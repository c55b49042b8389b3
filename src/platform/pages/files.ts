/** Stylesheets and scripts of pages. Their addresses change with their content, so browsers keep them for a year. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { ownValue } from '#base/values/own-value.ts';
import { keepForAYear, type StaticText, sendStatic, staticText } from '#platform/http/static-text.ts';

export interface PageFile extends StaticText {
  readonly path: string;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};

/** Reads a file of the folder; `before` is put in front of its content. */
export function pageFile(folder: URL, name: string, before = Buffer.of()): PageFile {
  const content = Buffer.concat([before, readFileSync(new URL(name, folder))]);
  return { path: `/pages/${hashOf(content)}/${name}`, ...staticText(typeOf(name), content) };
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 10);

function typeOf(name: string): string {
  const type = ownValue(types, extname(name));
  if (type === undefined) throw new Error(`${name} has no content type`);
  return type;
}

/** Scripts that import each other by name share one path prefix, which changes when any of them does. By name. */
export function pageScripts(scripts: readonly URL[]): Readonly<Record<string, PageFile>> {
  const contents = scripts.map((script) => readFileSync(script));
  const hash = hashOf(Buffer.concat(contents));
  const files = scripts.map(({ pathname }, n): [string, PageFile] => {
    const name = basename(pathname);
    return [
      name,
      { path: `/pages/${hash}/${name}`, ...staticText(typeOf(name), contents[n] ?? Buffer.of()) },
    ];
  });
  return Object.fromEntries(files);
}

const folder = new URL('./files/', import.meta.url);

/** The beginning of every page's stylesheet: colours and fonts. The sandbox's page has it too. */
export const baseCss = readFileSync(new URL('base.css', folder));

/** The bar above the guide, the index and the sandbox's pages. */
export const siteCss = readFileSync(new URL('site.css', folder));

/** The lines of a quote. */
export const linesCss = readFileSync(new URL('lines.css', folder));

/** The files of all pages that use the layout. */
export const files = {
  css: pageFile(folder, 'pages.css', Buffer.concat([baseCss, linesCss])),
  script: pageFile(folder, 'pages.mjs'),
};

/** GET /pages/{hash}/{name}. */
export function servePageFiles(served: Readonly<Record<string, PageFile>>): FastifyPluginAsync {
  return async (app) => {
    for (const file of Object.values(served)) {
      app.get(file.path, { config: { needsNoPermit: true } }, (request, reply) =>
        sendStatic(request, reply, file, keepForAYear),
      );
    }
  };
}
