/** Starts a round of notices for each workshop that has answers to be told of: at most one in five minutes. */
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { enqueue, type NewMessage } from '#sending/enqueue.ts';
import { shownAtMost, textOfDigest } from './compose.ts';
import { readRound, type StartedRound, startRounds } from './store.ts';

/** Safe to run in any number of processes at once. Runs every few seconds, and finds its work by an index. */
export async function tellOfAnswers({ db, clock, config, nudgeSender }: Context): Promise<void> {
  const told = await db.transaction(async (tx) => {
    const rounds = await startRounds(tx);
    const messages: NewMessage[] = [];
    for (const round of rounds) messages.push(...(await messagesOf(tx, round)));
    await enqueue(tx, messages, { now: clock.now(), exemptCountries: config.optOutExemptCountries });
    return messages.length;
  });
  if (told > 0) nudgeSender();
}

async function messagesOf(
  tx: Queryable,
  { round, workshopId, workshop, recipients }: StartedRound,
): Promise<NewMessage[]> {
  if (recipients.length === 0) return [];
  const facts = await readRound(tx, round, shownAtMost);
  return recipients.map(({ channel, recipient }) => ({
    kind: 'inboxDigest',
    workshopId,
    channel,
    audience: 'workshop',
    recipient,
    causeId: round,
    ...textOfDigest(facts, workshop, channel),
  }));
}
