/**
 * Reminds a customer of the next service: POST /reminders/services (specification: Service reminders 2 and 3). A reminder that is
 * sent at once uses the checks, rate limit and attempts of partner messages; two round trips before the gateway.
 */

import type { Actor } from '#base/values/actor.ts';
import { idOr, newId, nilId } from '#base/values/id.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { again } from '#platform/change/again.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { actorValues } from '#platform/events/record.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { newReminderCode } from '#product/bookings/reminder-code/code.ts';
import { messagingJudge, phoneOf } from '#product/messaging/named/named.ts';
import { requireNamed } from '#product/messaging/send.ts';
import { notSentYet, type Reminded } from './answer.ts';
import { contentOf } from './content.ts';
import type { CreateReminderBody } from './schema.ts';
import { sendNow } from './send.ts';
import { createScheduledReminder, readRemindContext } from './store.ts';

export interface Remind {
  readonly partnerId: string;
  readonly body: CreateReminderBody;
  readonly actor: Actor;
  /** The Idempotency-Key, stored on the reminder; null: every call makes a new reminder. */
  readonly referenceId: string | null;
}

/**
 * Throws what a partner's message throws: 404 030001, 403 000003 and 000004, 400, 404 040001, for the booking 060001, 429, 409
 * 000009.
 */
export async function remind(context: Context, request: Remind): Promise<Reminded> {
  const { db, clock } = context;
  const { partnerId, body, referenceId, actor } = request;
  const workshopId = idOr(body.workshopId, nilId);
  const customerId = idOr(body.customerId, null);
  const sent = { partnerId, workshopId, customerId, field: 'customerPhone', phone: body.customerPhone ?? '' };
  const person = {
    ...{ partnerId, workshopId, customerId, referenceId },
    phone: await phoneOf(context, sent, messagingJudge(context, partnerId, workshopId)),
    lastBookingId: idOr(body.lastBookingId, null),
    carRego: typeof body.carRego === 'string' ? normaliseRego(body.carRego) : null,
  };
  const known = await readRemindContext(db, person);
  requireNamed(known, { ...person, bookingId: person.lastBookingId });
  if (known.reminder !== null && !known.isBegun) return notSentYet(known.reminder, true);

  const content = contentOf(person, known, body);
  const sendAt = typeof body.sendAt === 'string' ? checkedInstant(body.sendAt) : null;
  if (known.reminder !== null || sendAt === null || sendAt <= clock.now()) {
    return again(db, () => sendNow(context, { person, known, content, code: newReminderCode(), actor }));
  }
  const row = await changeAtOnce(context, () =>
    createScheduledReminder(db, {
      ...content,
      ...{ partnerId, workshopId, phone: person.phone, reminderReference: referenceId },
      code: newReminderCode(),
      customerId: known.customerId,
      reminderId: newId(),
      newCustomerId: newId(),
      newCarId: newId(),
      dueAt: sendAt,
      now: clock.now(),
      ...actorValues(actor),
    }),
  );
  // Another request with this key has created it since the read.
  if (row === null) return remind(context, request);
  return notSentYet(row.serviceReminder, false);
}
