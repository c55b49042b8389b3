/** Makes a link to the booking page of a workshop, for a partner. */

import { isId } from '#base/values/id.ts';
import { parsePhone } from '#base/values/phone.ts';
import { invalidFields, Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import { bookingPath, expiryOf, type Prefill } from './link.ts';
import { findPageAccess } from './store.ts';

export interface MadeLink {
  /** Below the installation's public address. */
  readonly path: string;
  readonly expiresAt: Date | null;
}

/** The phone of `prefill` in any notation. Throws 400 000001, 404 030001, 403 000003 and 000004. */
export async function makeBookingLink(
  context: Pick<Context, 'db' | 'clock' | 'sealing'>,
  { partnerId, workshopId }: { readonly partnerId: string; readonly workshopId: string },
  prefill: Prefill,
): Promise<MadeLink> {
  const { catalogId, phone: typed } = prefill;
  const serviceId = catalogId !== undefined && isId(catalogId) ? catalogId : null;
  const access = isId(workshopId)
    ? await findPageAccess(context.db, { partnerId, workshopId, serviceId })
    : null;
  requireLink(access);
  if (!access.bookingPage)
    throw new Problem('000003', { message: 'The booking page of this workshop is switched off' });
  if (catalogId !== undefined && !access.serviceKnown)
    throw invalidFields([{ field: 'catalogId', message: 'is not a service that this workshop offers' }]);
  const phone = typed === undefined ? null : parsePhone(typed, access.country);
  if (typed !== undefined && phone === null)
    throw invalidFields([{ field: 'phone', message: `must be a valid phone number in ${access.country}` }]);

  const filled: Prefill = { ...prefill, ...(phone !== null && { phone }) };
  const expiresAt = expiryOf(filled, context.clock.now());
  const workshop = { workshopId: workshopId.toLowerCase(), slug: access.slug };
  const link = { partnerId, version: access.version, expiresAt, prefill: filled };
  return { path: bookingPath(context, workshop, link), expiresAt };
}
