/** The car is ready: staff mark it, and the customer gets one SMS, at the booking's number. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { holdsLink } from '#base/values/callers-links.ts';
import { newId } from '#base/values/id.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { cleanText } from '#base/values/text.ts';
import { Problem } from '#errors.ts';
import { changesOf } from '#platform/audit/changes.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { holdEvent } from '#platform/events/held/store.ts';
import { recordEvent } from '#platform/events/record.ts';
import { countStaffSms } from '#product/sending/staff-bounds/count.ts';
import type { AttendanceState } from '../attendance/store.ts';
import { readPlacedBooking } from '../change/store.ts';
import type { CarReadyPayload } from '../events.ts';
import type { Holding } from '../hold.ts';
import { type AttendanceBefore, changeAttendance, recordAttended } from './attendance.ts';
import { readTelling } from './store.ts';
import { type NotTold, whyNotTold } from './telling.ts';

/** Leaves room for the link of the booking in a custom text of three segments. */
const segmentsAtMost = 3;

export interface MarkReady extends Pick<Holding, 'holdMs'> {
  readonly workshopId: string;
  readonly bookingId: string;
  readonly actor: Actor;
  /** The attendance that the caller has seen; absent: any. */
  readonly seen?: AttendanceState | undefined;
  /** False: it is marked without a notice. */
  readonly tellCustomer: boolean;
  /** Replaces the workshop's text or the default one. It may contain no link; the link of the booking is appended. */
  readonly text?: string;
  /** Also text a customer who was notified before. */
  readonly again?: boolean;
}

export interface MarkedReady {
  /** The attendance before. */
  readonly before: AttendanceState;
  /** The event that the SMS follows from; null: no SMS. */
  readonly eventId: string | null;
  /** It can be undone until then, by the machine's clock; null: it can't be undone. */
  readonly heldUntil: Date | null;
  /** The version of the booking, which does not change. */
  readonly version: number;
  /** Why the customer is not notified; null: the customer is. */
  readonly notTold: NotTold | null;
}

/**
 * A customer who can't get SMS is not notified, and `notTold` says why. Throws InvalidInput for a text that can't be sent, 404
 * 060001 for a booking that is not the workshop's, 412 000010 when the attendance was changed since, and 429 when a custom text
 * exceeds the limits of staff texts.
 */
export async function markReady(
  context: ChangeContext & Pick<Context, 'config'>,
  request: MarkReady,
): Promise<MarkedReady> {
  const { config } = context;
  const { workshopId, bookingId, actor, seen, tellCustomer, again = false, holdMs = 0 } = request;
  if (holdMs > 0 && actor.kind !== 'person') throw new Error('only a change by a person is held');
  const message = request.text === undefined ? null : readOwnText(request.text);
  return change(context, async ({ tx, now }) => {
    // Locked until the end: of two concurrent calls the second one sees the notice of the first.
    const attended = await changeAttendance(tx, { workshopId, bookingId, state: 'ready', seen, actor }, now);
    const present = await readPlacedBooking(tx, null, bookingId);
    const telling = await readTelling(tx, bookingId);
    if (present === null || telling === null) throw new Problem('060001');
    const { booking, version, partnerId } = present;
    const notTold = tellCustomer ? whyNotTold(telling, { again, ...config }) : 'silent';
    const eventId = notTold === null ? newId() : null;
    let heldUntil: Date | null = null;
    if (eventId !== null) {
      if (message !== null) await countStaffSms(tx, config, { workshopId, actor });
      const payload: CarReadyPayload = {
        ...{ booking, dateChanged: false, notifyCustomer: true, notifyWorkshop: false },
        ...{ message, attendanceBefore: attended.before },
      };
      await recordEvent(tx, {
        ...{ id: eventId, kind: 'booking.carReady', partnerId, workshopId, subjectId: booking.id, version },
        ...{ payload, occurredAt: now, actor },
        ...changesOf({ attendance: attended.before }, { attendance: attended.state }),
      });
      const previous: AttendanceBefore = { attendance: attended.before };
      const hold = { eventId, recordId: booking.id, recordVersion: version, holdMs, previous };
      if (holdMs > 0) ({ heldUntil } = await holdEvent(tx, hold));
    } else {
      await recordAttended(tx, { workshopId, bookingId, actor }, attended, now);
    }
    return { before: attended.before, eventId, heldUntil, version, notTold };
  });
}

/** Parses a custom text. Throws InvalidInput. */
export function readOwnText(typed: string): string {
  const text = cleanText(typed.replaceAll('\0', ''));
  const message =
    text === ''
      ? 'must not be blank'
      : measureSms(text).segments > segmentsAtMost
        ? `must have at most ${segmentsAtMost} SMS segments`
        : holdsLink(text)
          ? 'must hold no link: that of the booking is added'
          : null;
  if (message !== null) throw new InvalidInput([{ field: 'text', message }]);
  return text;
}
