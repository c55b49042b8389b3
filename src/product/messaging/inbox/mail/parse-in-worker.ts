/** Parses an e-mail in a thread of its own, which can be ended: whoever wrote the e-mail decides what it costs. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Answer, Asked } from './parsers.ts';

interface Limits {
  readonly timeoutMs?: number;
  readonly heapMb?: number;
}

/** It took more time or memory than an e-mail may. */
export class TooComplex extends Error {}

/** What `parsers` make of it; null when it can't be parsed. Throws TooComplex. */
export async function parseInWorker<As extends Asked['as']>(
  raw: Buffer,
  as: As,
  { timeoutMs = 30_000, heapMb = 512 }: Limits = {},
): Promise<Answer<As> | null> {
  const asked: Asked = { raw, as };
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  // One that comes while the thread is being ended has nobody else to go to.
  worker.on('error', () => undefined);
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [
      Answer<As> | null,
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
