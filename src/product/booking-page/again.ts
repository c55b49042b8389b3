/**
 * The path for booking again from the page of a finished booking or quote: the partner's page if it is open, else the plain one.
 */
import type { Context } from '#platform/context.ts';
import { plainPath, type Shop } from '#platform/pages/shop.ts';
import { bookingPath, expiryOf } from './link/link.ts';
import { findPageAccess, isOpenPage } from './link/store.ts';

export interface Ended {
  readonly shop: Shop & { readonly workshopId: string };
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  /** Null: not given. */
  readonly rego: string | null;
  /** Ids of the previous services; those that are no longer offered are left out. */
  readonly services: readonly string[];
}

/** The path below the installation's public address; null when online booking is off. */
export async function bookAgainPath(
  context: Pick<Context, 'db' | 'clock' | 'sealing'>,
  { shop, partnerId, rego, services }: Ended,
): Promise<string | null> {
  const wanted = services.length > 0 ? `service=${services.join(',')}` : '';
  const link = partnerId && (await linkOf(context, shop, partnerId, rego));
  if (link) return [link, wanted].filter(Boolean).join('&');
  return shop.plainPage ? [plainPath(shop), wanted].filter(Boolean).join('?') : null;
}

/** Fills in no more than the present page shows. */
async function linkOf(
  context: Pick<Context, 'db' | 'clock' | 'sealing'>,
  shop: Ended['shop'],
  partnerId: string,
  rego: string | null,
): Promise<string | null> {
  const { workshopId } = shop;
  const access = await findPageAccess(context.db, { partnerId, workshopId });
  if (!access || !isOpenPage(access)) return null;
  const prefill = rego === null ? {} : { rego };
  const expiresAt = expiryOf(prefill, context.clock.now());
  return bookingPath(context, shop, { partnerId, version: access.version, expiresAt, prefill });
}
