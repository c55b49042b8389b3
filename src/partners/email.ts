/** The address that the operator's notices to a partner go to. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { foundById, InvalidInput } from '#operator-error.ts';
import { isEmail } from '#values/email.ts';
import { normaliseString } from '#values/text.ts';
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
