/** The addressee of a text of staff: a customer of the workshop, one of its conversations, or a number, whose customer is made when there is none. */
import { notOf } from '#base/operator-error.ts';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { customerWithPhone } from '#product/customers/store.ts';
import { findAnswered } from '../inbox/answered/store.ts';
import type { Addressee } from './sms.ts';
import { findAddressee } from './store.ts';

/** `phone`: E.164. */
export type To =
  | { readonly customerId: string }
  | { readonly conversationId: string }
  | { readonly phone: string };

/** Runs in the transaction that sends. Throws OperatorError for one that is not the workshop's. */
export async function requireAddressee(
  tx: Queryable,
  { workshopId, to }: { readonly workshopId: string; readonly to: To },
  now: Date,
): Promise<Addressee> {
  const of = { what: 'workshop', id: workshopId } as const;
  if ('conversationId' in to) {
    const found = await findAnswered(tx, workshopId, to.conversationId);
    if (found === null) throw notOf(of, 'conversation', to.conversationId);
    return found;
  }
  const customerId =
    'customerId' in to
      ? to.customerId
      : await customerWithPhone(tx, { newId: newId(), workshopId, phone: to.phone, now });
  const found = await findAddressee(tx, workshopId, customerId);
  if (found === null) throw notOf(of, 'customer', customerId);
  return found;
}
