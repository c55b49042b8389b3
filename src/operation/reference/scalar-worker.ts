/** Hands the script of Scalar to the thread that asked for it. Its package has it as a text that only its plugin gives out. */
import { parentPort } from 'node:worker_threads';
import plugin from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

const app = fastify();
await app.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { rawPayload, statusCode } = await app.inject('/docs/js/scalar.js');
if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference has no script at /js/scalar.js');
const script = new Uint8Array(rawPayload);
parentPort?.postMessage(script, [script.buffer]);
