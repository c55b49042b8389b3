/** The customer that a request names, by `customerId`, which takes precedence, or by phone; and one of their bookings. */

import { parsePhone } from '#base/values/phone.ts';
import { invalidFields, Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { invalidPhone } from '#platform/http/phone-field.ts';
import { workshopCountry } from '#product/workshops/access/country.ts';
import { requireMessaging } from '#product/workshops/access/gate.ts';
import { readGate } from '#product/workshops/access/store.ts';
import type { Named, Naming } from './store.ts';

export interface SentPhone {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string | null;
  /** The name of the field in the body. */
  readonly field: string;
  readonly phone: string;
}

/**
 * The phone as E.164; null when the request has a customerId: the phone is ignored then. `judge` throws the refusals that precede a
 * bad phone, if they were not checked yet. Throws 400 000001.
 */
export async function phoneOf(
  context: Pick<Context, 'db' | 'clock'>,
  { partnerId, workshopId, customerId, field, phone: sent }: SentPhone,
  judge?: () => Promise<void>,
): Promise<string | null> {
  if (customerId !== null) return null;
  const country = await workshopCountry(context, partnerId, workshopId);
  const phone = country === null ? null : parsePhone(sent, country);
  if (phone !== null) return phone;
  await judge?.();
  throw invalidFields([invalidPhone(field, country ?? 'the workshop’s country')]);
}

/** The `judge` of `phoneOf` for requests that send a message. */
export const messagingJudge =
  ({ db }: Pick<Context, 'db'>, partnerId: string, workshopId: string) =>
  async (): Promise<void> =>
    requireMessaging(await readGate(db, partnerId, workshopId));

/**
 * Throws 404 040001, then for the booking 404 and 400 060001. `isRepeat`: the outcome of an earlier request is replayed, so the
 * booking is not checked.
 */
export function requireTheirs(
  row: Named,
  { customerId, bookingId }: Pick<Naming, 'customerId' | 'bookingId'>,
  isRepeat: boolean,
): void {
  if (customerId !== null && !row.customerFound) throw new Problem('040001');
  if (bookingId === null || isRepeat) return;
  if (!row.bookingFound) throw new Problem('060001', { message: 'Booking not found under this workshop' });
  if (!row.bookingIsTheirs) {
    throw new Problem('060001', { status: 400, message: 'The booking belongs to a different customer' });
  }
}
