/** Looks a booking up by its code and its customer's phone together. */

import { isBookingCode, readCode } from '#base/values/code.ts';
import { parsePhone } from '#base/values/phone.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import { boundedPairGuess } from '#platform/pages/guesses.ts';
import { findBookingByCode, findBookingOfCustomer } from '#product/bookings/manage-link/store.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
import { phoneWanted } from '../phone-wanted.ts';
import type { LookUpFault } from './look-up-page.ts';

type Found = { readonly bookingId: string } | { readonly faults: readonly LookUpFault[] };

const codeOf = (form: Form): string | null => {
  const code = readCode(form['code'] ?? '');
  return isBookingCode(code) ? code : null;
};

/** A wrong code and a wrong phone get the same response. Throws 429. */
export async function lookUp(
  { db }: Pick<Context, 'db'>,
  workshop: PageWorkshop,
  form: Form,
  address: string,
): Promise<Found> {
  const { workshopId, country } = workshop;
  const code = codeOf(form);
  const phone = parsePhone(form['phone'] ?? '', country);
  if (code === null || phone === null) return faultsOf(code, phone, phoneWanted(workshop));
  const find = () => findBookingOfCustomer(db, { workshopId, code, phone });
  return guessed(boundedPairGuess({ db }, { workshopId, phone, address }, find));
}

/**
 * The same where the workshop is not known: the phone is read as one of the booking's workshop. A code that is nobody's, a wrong phone and
 * another workshop's booking get the same response under the same bounds, so it tells of no code whether it exists. Throws 429.
 */
export async function lookUpAnywhere(
  { db }: Pick<Context, 'db'>,
  form: Form,
  address: string,
): Promise<Found> {
  const code = codeOf(form);
  const typed = form['phone'] ?? '';
  const digits = typed.replace(/\D/g, '');
  const phone = digits.length < leastDigits || typed.length > phoneAtMost ? null : digits.slice(-leastDigits);
  if (code === null || phone === null)
    return faultsOf(code, phone, 'Enter the phone number that you booked with');
  const find = async () => {
    const booking = await findBookingByCode(db, code);
    if (booking === null || booking.phone === null) return null;
    return parsePhone(typed, booking.country) === booking.phone ? booking.id : null;
  };
  return guessed(boundedPairGuess({ db }, { workshopId: null, phone, address }, find));
}

const leastDigits = 7;
const phoneAtMost = 64;

function faultsOf(code: string | null, phone: string | null, wanted: string): Found {
  const wrongCode = { field: 'code', message: 'Enter the code, which has eight letters and digits' } as const;
  const wrongPhone = { field: 'phone', message: wanted } as const;
  return { faults: [...(code === null ? [wrongCode] : []), ...(phone === null ? [wrongPhone] : [])] };
}

async function guessed(guess: Promise<string>): Promise<Found> {
  try {
    return { bookingId: await guess };
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
    return { faults: [{ field: null, message: 'There is no booking with this code and phone number' }] };
  }
}
