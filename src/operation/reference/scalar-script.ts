/** The script of Scalar, which is the reference page: read at the first request for it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type StaticText, staticText } from '#platform/http/static-text.ts';

const packageFile = new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference'));
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

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

/** In a thread of its own, which ends: a module of 5 MB would stay in memory for good, and compiling it would hold up requests. */
async function load(): Promise<StaticText> {
  const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url));
  const [script] = (await once(worker, 'message')) as [Uint8Array];
  return staticText('text/javascript; charset=utf-8', Buffer.from(script.buffer));
}
