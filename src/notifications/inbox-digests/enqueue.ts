/** Enqueues an inbox digest for each workshop with answers that none has reported: at most one in five minutes. */
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { enqueue, type NewMessage } from '#sending/enqueue.ts';
import { shownAtMost, textOfDigest } from './compose.ts';
import { readDigest, type StartedDigest, startDigests } from './store.ts';

/** Safe to run in any number of processes at once. Runs every few seconds and finds its work by an index. */
export async function enqueueInboxDigests({ db, clock, config, nudgeSender }: Context): Promise<void> {
  const enqueued = await db.transaction(async (tx) => {
    const digests = await startDigests(tx);
    const messages: NewMessage[] = [];
    for (const digest of digests) messages.push(...(await messagesOf(tx, digest)));
    await enqueue(tx, messages, { now: clock.now(), exemptCountries: config.optOutExemptCountries });
    return messages.length;
  });
  if (enqueued > 0) nudgeSender();
}

async function messagesOf(
  tx: Queryable,
  { digestId, workshopId, workshop, recipients }: StartedDigest,
): Promise<NewMessage[]> {
  if (recipients.length === 0) return [];
  const digest = await readDigest(tx, digestId, shownAtMost);
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
