/** The e-mail address for the operator's notices to a partner. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { cleanEmail, isEmail } from '#base/values/email.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requirePartner, updatePartnerEmail } from './store.ts';
import { ofPartner } from './trail.ts';

/** An empty text clears it. Throws InvalidInput for an invalid address, OperatorError when there is no such partner. */
export async function setPartnerEmail(
  context: ChangeContext,
  partnerId: string,
  sent: string,
  actor: Actor,
): Promise<string | null> {
  const email = cleanEmail(normaliseString(sent)) || null;
  if (email !== null && !isEmail(email)) {
    throw new InvalidInput([{ field: 'email', message: 'is not an e-mail address' }]);
  }
  await change(context, async ({ tx, now: at }) => {
    const present = await requirePartner(tx, partnerId);
    await updatePartnerEmail(tx, present.partnerId, email, at);
    const entry = ofPartner(actor, present.partnerId, 'emailSet', at);
    await recordEntry(tx, { ...entry, before: { email: present.email }, after: { email } });
  });
  return email;
}
