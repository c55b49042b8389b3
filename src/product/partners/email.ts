/** The address that the operator's notices to a partner go to. */
import type { Clock } from '#base/clock.ts';
import { foundById, InvalidInput } from '#base/operator-error.ts';
import { isEmail } from '#base/values/email.ts';
import { normaliseString } from '#base/values/text.ts';
import type { Queryable } from '#platform/db/database.ts';
import { updatePartnerEmail } from './store.ts';

/** An empty text clears it. Throws InvalidInput for what is no address, OperatorError when there is no such partner. */
export async function setPartnerEmail(
  db: Queryable,
  clock: Clock,
  partnerId: string,
  sent: string,
): Promise<string | null> {
  const email = normaliseString(sent) || null;
  if (email !== null && !isEmail(email)) {
    throw new InvalidInput([{ field: 'email', message: 'is not an e-mail address' }]);
  }
  await foundById('partner', partnerId, () => updatePartnerEmail(db, partnerId, email, clock.now()));
  return email;
}
