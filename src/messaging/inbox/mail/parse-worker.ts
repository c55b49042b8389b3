/** Hands the words of an e-mail to the thread that asked for them; null: it can't be parsed. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseText } from './parse.ts';

parentPort?.postMessage(await parseText(workerData as Uint8Array).catch(() => null));
