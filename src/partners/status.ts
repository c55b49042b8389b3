/** Suspends a partner, whose tokens are no longer accepted, or activates it again. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { isId } from '#values/id.ts';
import { unknownPartner } from './require.ts';
import { type PartnerStatus, updatePartnerStatus } from './store.ts';

/** Setting the present status again changes nothing. Throws OperatorError when there is no such partner. */
export async function setPartnerStatus(
  db: Queryable,
  clock: Clock,
  partnerId: string,
  status: PartnerStatus,
): Promise<void> {
  const done = isId(partnerId) && (await updatePartnerStatus(db, partnerId, status, clock.now()));
  if (!done) throw unknownPartner(partnerId);
}
