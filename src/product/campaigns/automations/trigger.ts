/** Triggers an automation for one customer: POST /workshops/{id}/automations/{automationId}/trigger (specification: Automations 5). */

import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { invalidFields } from '#errors.ts';
import { type Bound, countAttempt } from '#platform/attempts/limit.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import { finishClaim } from '#platform/idempotency/store.ts';
import { keptInstead } from '#product/customers/merged/store.ts';
import { customerWithPhone } from '#product/customers/store.ts';
import { requireTheirs } from '#product/messaging/named/named.ts';
import { type Naming, readNamed } from '#product/messaging/named/store.ts';
import { findTemplate } from '#product/templates/store.ts';
import { findWorkshop } from '#product/workshops/store.ts';
import { dueAfter, dueBefore } from './rules.ts';
import { findRun, insertRuns, manualCause, type NewRun } from './runs/store.ts';
import type { AutomationRun } from './schema.ts';
import type { AutomationRow } from './store.ts';
import { wireRun } from './wire.ts';

export interface TriggerAutomation extends Naming {
  readonly partnerId: string;
  readonly actor: Actor;
  readonly automation: AutomationRow;
  readonly referenceId: string | null;
  readonly claim: Claim | null;
  /** Called when a new run counts under the rate limit. */
  readonly onLimit?: Bound['onLimit'];
}

/** Limits runs of one automation for one customer that API calls start: each may be an SMS that the workshop pays for. */
const limit: RateLimit = { policy: 'automation-triggers', quota: 10, windowSeconds: 3_600 };

/**
 * A repeat of a referenceId for the same customer returns the same run, whatever the body is. Throws ClaimLost, 404 040001, 404
 * 060001 (400 for a booking of another customer), 400 when a booking is missing, and 429; then nothing is written.
 */
export async function triggerAutomation(
  context: ChangeContext,
  request: TriggerAutomation,
): Promise<AutomationRun> {
  const { partnerId, automation, referenceId, claim } = request;
  const { id: automationId, workshopId } = automation;
  return change(context, async ({ tx, now }) => {
    const named = await readNamed(tx, { ...request, workshopId });
    requireTheirs(named, request, true);
    const customerId =
      named.customerId ??
      (await customerWithPhone(tx, { newId: newId(), workshopId, phone: request.phone ?? '', now }));
    const id = newId();
    const cause = manualCause(referenceId === null ? id : `${partnerId} ${customerId} ${referenceId}`);
    if ((await findRun(tx, automationId, cause)) === null) {
      requireTheirs(named, request, false);
      const run = { ...(await newRun(tx, request, { ...named, customerId }, now)), id, cause };
      // One of concurrent repeats inserts the run, and only that one counts.
      if ((await insertRuns(tx, [run], now)) > 0) {
        await countRun(tx, customerId, request);
        const subject = { kind: 'automation', id: automationId };
        const done = { action: 'automation.triggered', after: { runId: id, customerId }, at: now };
        await recordEntry(tx, { actor: request.actor, workshopId, subject, ...done });
      }
    }
    const row = await findRun(tx, automationId, cause);
    if (row === null) throw new Error('a created run was not found');
    const run = wireRun(row);
    await finishClaim(tx, partnerId, claim, 202, { success: true, run });
    return run;
  });
}

/** Throws 429, which rolls the run back. */
async function countRun(
  tx: Queryable,
  customerId: string,
  { automation, onLimit }: TriggerAutomation,
): Promise<void> {
  const refusal = 'An automation can be triggered ten times an hour for one customer';
  const kept = await keptInstead(tx, automation.workshopId, customerId);
  const source = ['automation-trigger', automation.id, kept ?? customerId];
  await countAttempt({ db: tx }, { limit, refusal, source, onLimit });
}

async function newRun(
  tx: Queryable,
  { partnerId, automation, bookingId, referenceId }: TriggerAutomation,
  { customerId, bookingDate: date }: { readonly customerId: string; readonly bookingDate: Date | null },
  now: Date,
): Promise<Omit<NewRun, 'id' | 'cause'>> {
  const { workshopId, templateId, type } = automation;
  const isBefore = type === 'beforeBooking';
  if (bookingId === null) {
    const fault = isBefore
      ? 'is required: this automation goes before a booking'
      : (await findTemplate(tx, templateId))?.requiresBooking === true
        ? "is required: this automation's template needs a booking"
        : null;
    if (fault !== null) throw invalidFields([{ field: 'bookingId', message: fault }]);
  }
  const timing = { ...automation, timezone: (await findWorkshop(tx, workshopId))?.timezone ?? 'UTC' };
  const bookingDate = isBefore ? date : null;
  const due =
    bookingDate === null
      ? { dueAt: dueAfter(timing, now), isTooLate: false }
      : dueBefore(timing, bookingDate, now);
  const reason = automation.status === 'paused' ? 'paused' : due.isTooLate ? 'tooLate' : null;
  return {
    ...{ workshopId, automationId: automation.id, partnerId, customerId, referenceId, bookingDate, reason },
    bookingId,
    status: reason === null ? 'scheduled' : 'skipped',
    dueAt: due.dueAt,
    byPage: false,
  };
}
