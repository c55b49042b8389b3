/** Keeps an SMS that belongs nowhere, with a dead letter that asks the operator for its place. */
import type { Context } from '#context.ts';
import type { InboundSms } from '#gateways/sms/callbacks.ts';
import { newId } from '#values/id.ts';
import { addDeadLetter } from '#work/dead-letters/store.ts';
import { internationalPhone } from '../address.ts';
import { insertUnplaced } from './store.ts';

export const noPlace = {
  reason: 'noWorkshop',
  detail:
    'An SMS came from nobody known to a number that is no workshop’s: see pitlane inbox unplaced, give the workshop its --sms-sender, and retry this letter.',
} as const;

/** The log names neither sender nor text. */
export async function keepUnplaced(context: Context, gateway: string, sms: InboundSms): Promise<void> {
  const { db, clock, log } = context;
  const id = newId();
  const { gatewayId, to, body } = sms;
  const from = internationalPhone(sms.from) ?? sms.from;
  const isNew = await db.transaction(async (tx) => {
    const unplaced = { id, gateway, gatewayId, from, to, body, receivedAt: clock.now() };
    if (!(await insertUnplaced(tx, unplaced))) return false;
    const letter = {
      job: 'placeInbound',
      payload: { unplacedId: id },
      ...noPlace,
      attempts: 1,
      at: clock.now(),
    };
    await addDeadLetter(tx, letter);
    return true;
  });
  if (isNew) log.warn({ gateway, unplacedId: id }, 'an SMS belongs to no workshop and became a dead letter');
}
