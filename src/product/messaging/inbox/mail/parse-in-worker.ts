/** Parses an e-mail in a worker thread that can be terminated, because the author of an e-mail controls what parsing it costs. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Asked, Beside, Parsed } from './parsers.ts';

interface Options extends Beside {
  readonly timeoutMs?: number;
  readonly heapMb?: number;
}

/** Parsing exceeded the limit of time or memory. */
export class TooComplex extends Error {}

/** The result of the parser `as`; null when the e-mail can't be parsed. Throws TooComplex. */
export async function parseInWorker<As extends Asked['as']>(
  raw: Buffer,
  as: As,
  { timeoutMs = 30_000, heapMb = 512, ...beside }: Options = {},
): Promise<Parsed<As> | null> {
  const asked: Asked = { raw, as, ...beside };
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  // An error event after the termination would be unhandled otherwise.
  worker.on('error', () => undefined);
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [
      Parsed<As> | null,
    ];
    return answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ABORT_ERR' || code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new TooComplex('the e-mail takes too much to read', { cause: error });
    }
    throw error;
  } finally {
    await worker.terminate();
  }
}
