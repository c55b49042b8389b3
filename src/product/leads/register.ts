/** Registers a call, or updates the one with its externalId: POST /leads/calls (specification: Call leads 1). */

import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { type ChangeContext, changeAtOnce } from '#platform/change/change.ts';
import { actorValues } from '#platform/events/record.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import type { Claim } from '#platform/idempotency/once.ts';

import { requireLink } from '#product/workshops/access/gate.ts';
import { type CallLead, optionalNames, type RecordCallBody } from './schema.ts';
import { writeCall } from './store.ts';

export interface RecordCall {
  readonly partnerId: string;
  readonly body: RecordCallBody;
  /** E.164. */
  readonly phone: string;
  readonly claim: Claim | null;
  readonly actor: Actor;
}

/** Resolves to null when the idempotency claim was lost. Throws 404 030001 and 403 000004. */
export async function recordCall(
  context: ChangeContext,
  { partnerId, body, phone, claim, actor }: RecordCall,
): Promise<{ readonly isNew: boolean; readonly callLead: CallLead } | null> {
  const { workshopId, calledAt, outcome, durationSeconds, source, recordingUrl, customerName, notes } = body;
  return changeAtOnce(context, async () => {
    for (;;) {
      const row = await writeCall(context.db, {
        callLeadId: newId(),
        partnerId,
        workshopId,
        externalId: body.externalId ?? null,
        callerPhone: phone,
        calledAt: checkedInstant(calledAt),
        outcome,
        durationSeconds: durationSeconds ?? null,
        source: source ?? null,
        recordingUrl: recordingUrl ?? null,
        customerName: customerName ?? null,
        notes: notes ?? null,
        sent: optionalNames.filter((name) => name in body),
        eventId: newId(),
        missedEventId: newId(),
        now: context.clock.now(),
        ...actorValues(actor),
        idempotencyKey: claim?.idempotencyKey ?? null,
        claimOwner: claim?.claimOwner ?? null,
      });
      requireLink(row);
      if (row.state === 'notOpen') return null;
      if (row.state === 'raced') continue;
      return row;
    }
  });
}
