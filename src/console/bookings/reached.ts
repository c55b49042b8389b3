/** The recipients of the notices of a booking or quote that is being written, and the reasons that keep notices back. */
import { parsePhone } from '#base/values/phone.ts';
import { findCustomerByPhone } from '#product/customers/store.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface Reached {
  /** E.164; null: none, or it is not valid. */
  readonly phone: string | null;
  /** Empty: none. */
  readonly email: string;
  readonly optedOut: boolean;
  readonly emailBounced: boolean;
}

/** `contact`: as typed, or filled in. */
export async function reachedBy(
  { context, workshop }: WorkshopVisit,
  contact: { readonly phone: string; readonly email: string },
): Promise<Reached> {
  const { workshopId, country } = workshop;
  const email = contact.email.trim();
  const phone = contact.phone ? parsePhone(contact.phone, country) : null;
  const known = phone === null ? null : await findCustomerByPhone(context.db, workshopId, phone);
  if (known === null) return { phone, email, optedOut: false, emailBounced: false };
  const isTheirs = known.email?.toLowerCase() === email.toLowerCase();
  return {
    ...{ phone, email, optedOut: known.optedOutAt !== null },
    emailBounced: isTheirs && known.emailBouncedAt !== null,
  };
}
