/** Answers HELP and INFO: who texts, where to call, and how to stop it (specification: Opting out 9). */

import { actors } from '#base/values/actor.ts';
import { oneLine } from '#base/values/one-line.ts';
import { numberFacts, phoneIn } from '#base/values/phone.ts';
import { shorten } from '#base/values/shorten.ts';
import type { Queryable } from '#platform/db/database.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { findWorkshop } from '#product/workshops/store.ts';
import { wasHelped } from './sent/store.ts';

/** The rule is of the carriers of the US. */
export const isToBeHelped = (phone: string): boolean =>
  phone.startsWith('+') && numberFacts(phone).country === 'US';

const onceInMs = 3_600_000;

/** Queues the answer, at most one an hour to a number. The caller has locked the customer. */
export async function answerHelp(
  tx: Queryable,
  phone: string,
  to: { readonly workshopId: string; readonly customerId: string; readonly messageId: string },
  now: Date,
): Promise<void> {
  const { workshopId, customerId, messageId } = to;
  if (await wasHelped(tx, { workshopId, customerId, phone }, new Date(now.getTime() - onceInMs))) return;
  const workshop = await findWorkshop(tx, workshopId);
  if (workshop === null) return;
  const name = shorten(oneLine(workshop.name), 40);
  const answer = {
    ...({ kind: 'helpAnswer', channel: 'sms', audience: 'customer' } as const),
    ...{ workshopId, customerId, causeId: messageId, recipient: phone },
    body: `${name}: for help call ${phoneIn('US', workshop.phone)}. Reply STOP to end.`,
  };
  await enqueue(tx, [answer], { now, actor: actors.customerBySms, exemptCountries: [] });
}
