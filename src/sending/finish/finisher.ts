/** Records outcomes as they come, those that come at once together. */
import type { Database } from '#db/database.ts';
import { insist } from '#db/insist.ts';
import type { Finish } from './outcome.ts';
import { recordFinishes } from './store.ts';

const atOnce = 100;

export interface Finisher {
  /** Resolves when it is recorded; rejects when it could not be, and then its lease settles it. */
  record(finish: Finish): Promise<void>;
}

interface Waiting {
  readonly finish: Finish;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function createFinisher(db: Database): Finisher {
  let waiting: Waiting[] = [];
  let isRecording = false;

  /** The next ones, no message twice. */
  function take(): Waiting[] {
    const messages = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const each of waiting) {
      const { messageId } = each.finish;
      if (batch.length >= atOnce || messages.has(messageId)) rest.push(each);
      else batch.push(each);
      messages.add(messageId);
    }
    waiting = rest;
    return batch;
  }

  async function recordBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      // Whoever comes next would not know that the gateway has it, and might send it again.
      await insist(() =>
        recordFinishes(
          db,
          batch.map(({ finish }) => finish),
        ),
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      // One of them may be what the database refuses.
      for (const each of batch) await recordBatch([each]);
    }
  }

  async function recordAll(): Promise<void> {
    isRecording = true;
    while (waiting.length > 0) await recordBatch(take());
    isRecording = false;
  }

  return {
    record: (finish) =>
      new Promise((resolve, reject) => {
        waiting.push({ finish, resolve, reject });
        // At the end of this turn of the event loop: what ends in it goes together.
        if (!isRecording) {
          isRecording = true;
          setImmediate(() => void recordAll());
        }
      }),
  };
}

const finishers = new WeakMap<Database, Finisher>();

/** The one of this process: what requests and the loop record goes together. */
export function finisherOf(db: Database): Finisher {
  let finisher = finishers.get(db);
  if (finisher === undefined) {
    finisher = createFinisher(db);
    finishers.set(db, finisher);
  }
  return finisher;
}
