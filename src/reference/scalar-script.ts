/**
 * The script of Scalar, which is the reference page. Its package has it as one text of 5 MB, which only its plugin gives out, so it
 * is loaded at the first request for it.
 */
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';
import { type StaticText, staticText } from './static-text.ts';

const name = '@scalar/fastify-api-reference';
const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.resolve(name)), 'utf8'),
) as {
  version: string;
};

/** Changes with the version, so browsers keep it for a year. */
export const scalarPath = `/docs/scalar-${version}.js`;

let loaded: Promise<StaticText> | null = null;

export function scalarScript(): Promise<StaticText> {
  loaded ??= load().catch((error) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function load(): Promise<StaticText> {
  const { default: plugin } = await import(name);
  const app = fastify();
  await app.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { rawPayload, statusCode } = await app.inject('/docs/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`${name} ${version} has no script at /js/scalar.js`);
  return staticText('text/javascript; charset=utf-8', rawPayload);
}
