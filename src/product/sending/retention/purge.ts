/** Deletes messages when the retention time of their kind is over, in small steps. */
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
import { type KeptAs, kindsThat } from '../kinds.ts';
import { purgeMessages } from './store.ts';

const keptAs = (as: KeptAs) => kindsThat(({ kept }) => kept === as);

/** Runs every hour; two processes may run it at once. */
export async function purgeOldMessages({ db, config }: Context): Promise<void> {
  const { noticesKeptDays, messagesKeptDays } = config;
  await runAll([
    () => purge('notices', keptAs('notice'), noticesKeptDays),
    // Inbound SMS are kept as long as messages to customers.
    () => purge('messages', [...keptAs('conversation'), 'inbound', 'reaction'], messagesKeptDays),
  ]);

  async function purge(
    name: string,
    ofKinds: readonly string[],
    olderThanDays: number | null,
  ): Promise<void> {
    if (olderThanDays === null) return;
    await inBatches((limit) => purgeMessages(db, { name, kinds: ofKinds, olderThanDays, limit }));
  }
}
