/** Posts the parsed e-mail to the thread that started this worker; null: it can't be parsed. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Asked, parsers } from './parsers.ts';

const { raw, as, ...beside } = workerData as Asked;
parentPort?.postMessage(await parsers[as](raw, beside).catch(() => null));
