/** Looks a booking up by its code and its customer's phone together. */

import { readCode } from '#base/values/code.ts';
import { parsePhone } from '#base/values/phone.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import { boundedPairGuess } from '#platform/pages/guesses.ts';
import { findBookingOfCustomer } from '#product/bookings/manage-link/store.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
import { phoneWanted } from '../phone-wanted.ts';
import type { LookUpFault } from './look-up-page.ts';

/** A wrong code and a wrong phone get the same response. Throws 429. */
export async function lookUp(
  context: Pick<Context, 'db'>,
  workshop: PageWorkshop,
  form: Form,
  address: string,
): Promise<{ readonly bookingId: string } | { readonly faults: readonly LookUpFault[] }> {
  const { workshopId, country } = workshop;
  const code = readCode(form['code'] ?? '');
  const phone = parsePhone(form['phone'] ?? '', country);
  const isCode = /^[0-9A-Z]{8}$/.test(code);
  if (!isCode || phone === null) {
    const wrongCode = {
      field: 'code',
      message: 'Enter the code, which has eight letters and digits',
    } as const;
    const wrongPhone = { field: 'phone', message: phoneWanted(workshop) } as const;
    return { faults: [...(isCode ? [] : [wrongCode]), ...(phone === null ? [wrongPhone] : [])] };
  }
  try {
    const find = () => findBookingOfCustomer(context.db, { workshopId, code, phone });
    return { bookingId: await boundedPairGuess(context, { workshopId, phone, address }, find) };
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
    return { faults: [{ field: null, message: 'There is no booking with this code and phone number' }] };
  }
}
