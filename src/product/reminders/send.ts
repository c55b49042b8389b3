/**
 * Sends a reminder inside the request, or continues what an earlier request with its key began (specification: Service reminders
 * 4).
 */
import { publicUrl } from '#base/config/public-url.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { actorValues } from '#platform/events/record.ts';
import { requirePartnerRecord } from '#platform/records/partner-records.ts';
import { smsResult } from '#product/messaging/outcome.ts';
import { carryOut, requireNamed } from '#product/messaging/send.ts';
import { keepWayOuts } from '#product/way-out/store.ts';
import { wayOutFor } from '#product/way-out/way-out.ts';
import { notSentYet, type Reminded } from './answer.ts';
import type { ReminderContent } from './content.ts';
import { reminderRecord } from './record.ts';
import { settleReminders } from './settle/store.ts';
import { createSentReminder, type RemindContext, type RemindedPerson, readRemindContext } from './store.ts';
import { reminderText } from './text.ts';

export interface SendReminder {
  readonly person: RemindedPerson;
  readonly known: RemindContext;
  readonly content: ReminderContent;
  readonly code: string;
  readonly actor: Actor;
}

/** Throws the refusals of a partner's message. */
export async function sendNow(
  context: Context,
  { person, known, content, code, actor }: SendReminder,
): Promise<Reminded> {
  const { db, clock, sms, config } = context;
  const { partnerId, workshopId, customerId, phone, referenceId } = person;
  const wayOut = wayOutFor(known.workshop, config);
  const textWith = (its: string) =>
    reminderText({
      ...content,
      phone: known.phone ?? phone,
      code: its,
      workshop: known.workshop,
      publicUrl: publicUrl(config),
      wayOut,
    });
  const [reminderId, now] = [newId(), clock.now()];
  const refusal = wayOut.way === 'none' ? ('noWayOut' as const) : null;
  const begun = { partnerId, workshopId, attemptId: newId(), begunAt: clock.machineNow(), actor, refusal };
  const named = { customerId, phone, bookingId: content.lastBookingId };
  const row = await createSentReminder(db, {
    ...content,
    ...named,
    ...textWith(code),
    ...{
      partnerId,
      workshopId,
      code,
      reminderId,
      templateId: null,
      templateVersion: null,
      referenceId: null,
    },
    // A repeat creates no car.
    carRego: known.reminder === null ? content.carRego : null,
    reminderReference: referenceId,
    gateway: sms.name,
    messageId: newId(),
    attemptId: begun.attemptId,
    newConversationId: newId(),
    newCustomerId: newId(),
    newCarId: newId(),
    dueAt: now,
    now,
    ...actorValues(actor),
  });
  requireNamed(row, named);
  const isRepeat = row.messageId === null && row.rateUsed !== null;
  // Another request may have created it since the first read.
  const before = isRepeat && known.reminder === null ? await readRemindContext(db, person) : known;
  if (isRepeat && before?.reminder && !before.isBegun) return notSentYet(before.reminder, true);
  const its = (isRepeat ? before?.reminder : null) ?? { id: reminderId, code, status: null };
  const text = {
    ...textWith(its.code),
    templateId: null,
    templateVersion: null,
    bookingId: content.lastBookingId,
  };
  const isTried = row.rateUsed !== null && row.state !== 'failed';
  if (wayOut.code !== null && row.phone !== null && isTried)
    await keepWayOuts(db, [{ code: wayOut.code, workshopId, phone: row.phone }], now);
  const { outcome, remaining } = await carryOut(context, row, begun, text, () => ({ causeId: its.id }));

  await changeAtOnce(context, () => settleReminders(db, [outcome.messageId], clock.now(), actor));
  const { item: serviceReminder } = await requirePartnerRecord(db, reminderRecord, partnerId, { id: its.id });
  return {
    answer: { success: outcome.sent, serviceReminder, sms: smsResult(outcome, null).sms },
    remaining,
    replayed: its.status === 'sent' || its.status === 'booked',
  };
}
