/** Queues an inbox digest for each workshop with unreported answers, at most one in five minutes. */

import { actors } from '#base/values/actor.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { enqueue, type NewMessage } from '#product/sending/enqueue.ts';
import { listedAtMost, textOfDigest } from './compose.ts';
import { findUnreported, readDigest, type StartedDigest, startDigests } from './store.ts';

/** Any number of processes may run it at once: the workshops' rows are locked. */
export const dueDigests: Pieces = {
  job: 'inboxDigest',
  subject: 'workshopId',
  atOnce: 100,
  find: (db, _, atMost) => findUnreported(db, dueDigests.job, atMost),
  async run(context, workshopIds) {
    const { config } = context;
    return change(context, async ({ tx, now }) => {
      const digests = await startDigests(tx, workshopIds);
      const messages: NewMessage[] = [];
      for (const digest of digests) messages.push(...(await messagesOf(tx, digest)));
      await enqueue(tx, messages, {
        now,
        actor: actors.schedule,
        exemptCountries: config.optOutExemptCountries,
      });
      return digests.length;
    });
  },
};

/** Runs every few seconds, with an index on its work. */
export const enqueueInboxDigests = (ctx: Context): Promise<number> => workOff(ctx, dueDigests);

async function messagesOf(
  tx: Queryable,
  { digestId, workshopId, workshop, recipients }: StartedDigest,
): Promise<NewMessage[]> {
  if (recipients.length === 0) return [];
  const digest = await readDigest(tx, digestId, listedAtMost);
  return recipients.map(({ channel, recipient }) => ({
    kind: 'inboxDigest',
    workshopId,
    channel,
    audience: 'workshop',
    recipient,
    causeId: digestId,
    ...textOfDigest(digest, workshop, channel),
  }));
}
