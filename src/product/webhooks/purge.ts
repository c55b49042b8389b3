/** Deletes published events and deliveries at the age at which events are deleted: a replay needs its event. */
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
import { eventsKeptDays } from '#platform/events/purge.ts';
import { deleteDeliveries, deleteOrphanWakes } from './deliveries/log/store.ts';
import { deletePartnerEvents } from './feed/store.ts';

/** Runs every hour, in small steps; two processes may run it at once. */
export async function purgeWebhooks({ db }: Pick<Context, 'db'>): Promise<void> {
  await runAll([
    () => deleteOrphanWakes(db),
    ...[deleteDeliveries, deletePartnerEvents].map(
      (step) => () => inBatches((atMost) => step(db, eventsKeptDays, atMost)),
    ),
  ]);
}
