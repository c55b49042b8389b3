/** Looks a booking up by its code and its customer's phone together. */
import { findBookingOfCustomer } from '#bookings/manage-link/store.ts';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import type { Form } from '#pages/form.ts';
import { boundedPairGuess } from '#pages/guesses.ts';
import { readCode } from '#values/code.ts';
import { parsePhone } from '#values/phone.ts';
import type { PageWorkshop } from '../store.ts';
import type { LookUpFault } from './look-up-page.ts';

/** A wrong code and a wrong phone get the same answer. Throws 429. */
export async function lookUp(
  context: Pick<Context, 'db'>,
  workshop: PageWorkshop,
  form: Form,
  address: string,
): Promise<{ readonly bookingId: string } | LookUpFault> {
  const { workshopId, country } = workshop;
  const code = readCode(form['code'] ?? '');
  const phone = parsePhone(form['phone'] ?? '', country);
  if (!/^[0-9A-Z]{8}$/.test(code)) return { field: 'code', message: 'The code has eight letters and digits' };
  if (phone === null) return { field: 'phone', message: 'This is not a phone number, such as 0400 000 001' };
  try {
    const find = () => findBookingOfCustomer(context.db, { workshopId, code, phone });
    return { bookingId: await boundedPairGuess(context, { workshopId, phone, address }, find) };
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
    return { field: null, message: 'There is no booking with this code and phone number.' };
  }
}
