/** Queues a blast's messages in batches, so that only a few of them are in the sending queue at a time. */

import { actors } from '#base/values/actor.ts';
import { isQuiet, usualQuietHours } from '#base/values/quiet-hours.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { enqueue, type NewMessage } from '#product/sending/enqueue.ts';
import { keepWayOuts, type NewWayOut } from '#product/way-out/store.ts';
import { wayOutFor } from '#product/way-out/way-out.ts';
import { renderCampaign, unsent } from '../text.ts';
import { leftOutAbroad } from './abroad.ts';
import {
  countQueued,
  nextRecipients,
  type RecipientDetails,
  recordTurns,
  type Turn,
} from './recipients/store.ts';
import { type BlastAtWork, holdAtWork, writeStatus } from './store.ts';
import { ofBlast } from './trail.ts';
import { variablesOf } from './variables.ts';

/** The most messages of one blast in the sending queue. */
export const queuedAtMost = 512;
const batchSize = 128;
/** When at most this many of a blast's messages are queued, another batch fits. */
export const roomBelow = queuedAtMost - batchSize;

/**
 * Queues the next batch of a blast, if there is room for one, in one transaction with the turns of its recipients: each is queued
 * once, even after a crash. Completes a blast whose last message has its outcome. True when there may be room for another batch
 * now.
 */
export async function queueBatch(ctx: Context, id: string): Promise<boolean> {
  return change(ctx, async ({ tx, now }) => {
    const blast = await holdAtWork(tx, id, 'sending');
    if (blast === null) return false;
    const queued = await countQueued(tx, id, queuedAtMost);
    const recipients = await nextRecipients(tx, blast, batchSize);
    if (recipients.length === 0) {
      if (queued > 0) return false;
      await writeStatus(tx, id, 'completed', now);
      await recordEntry(tx, ofBlast(blast, actors.schedule, 'completed', now));
      return false;
    }
    const isRoom = queued + recipients.length <= queuedAtMost;
    if (!isRoom || isQuiet(now, usualQuietHours, blast.workshop.timezone)) return false;
    await recordTurns(tx, id, await turnsOf(tx, ctx, blast, recipients));
    return true;
  });
}

async function turnsOf(
  tx: Queryable,
  { clock, config }: Context,
  blast: BlastAtWork,
  recipients: readonly RecipientDetails[],
): Promise<Turn[]> {
  const messages: NewMessage[] = [];
  const ways: NewWayOut[] = [];
  const leftOut = await leftOutAbroad(
    tx,
    blast,
    recipients.flatMap(({ customerId, phone }) => (phone === null ? [] : { customerId, phone })),
  );
  const turns = recipients.map((recipient): Turn => {
    const { customerId, phone } = recipient;
    if (phone === null) return { customerId, state: 'skipped', reason: 'erased' };
    if (recipient.isSecond) return { customerId, state: 'skipped', reason: 'duplicate' };
    if (leftOut.has(customerId)) return { customerId, state: 'skipped', reason: 'otherCountry' };
    const variables = variablesOf(recipient.customer, blast.workshop);
    const wayOut = wayOutFor(blast.workshop, config);
    const rendered = renderCampaign(blast.template?.body ?? '', variables, blast.workshop, wayOut);
    if ('fault' in rendered) return { customerId, ...unsent(rendered) };
    if (wayOut.code !== null) ways.push({ code: wayOut.code, workshopId: blast.workshopId, phone });
    messages.push(messageOf(blast, { customerId, phone }, rendered.text));
    return { customerId, state: 'queued', reason: null };
  });
  await keepWayOuts(tx, ways, clock.now());
  const exemptCountries = config.optOutExemptCountries;
  const results = await enqueue(tx, messages, { now: clock.now(), actor: actors.schedule, exemptCountries });
  const stopped = new Map(
    messages.flatMap(({ customerId }, index) => {
      const state = results[index]?.state;
      if (state === 'queued') return [];
      const isStopped = state === 'optedOut' || state === 'mayHaveOptedOut';
      return [[customerId, isStopped ? state : 'duplicate'] as const];
    }),
  );
  return turns.map((turn) => {
    const reason = stopped.get(turn.customerId);
    return reason === undefined ? turn : { ...turn, state: 'skipped', reason };
  });
}

function messageOf(
  { id, workshopId, partnerId, templateId, template }: BlastAtWork,
  { customerId, phone }: { readonly customerId: string; readonly phone: string },
  body: string,
): NewMessage {
  return {
    ...{
      kind: 'blast',
      channel: 'sms',
      audience: 'customer',
      workshopId,
      customerId,
      recipient: phone,
      body,
    },
    ...{ causeId: id, partnerId, quietHours: usualQuietHours },
    template: template && { id: templateId, version: template.version },
  };
}
