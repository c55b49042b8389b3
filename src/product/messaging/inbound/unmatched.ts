/** Unmatched inbound SMS: stored with a dead letter, and matched again when an operator retries it. */

import { OperatorError } from '#base/operator-error.ts';
import { newId } from '#base/values/id.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { InboundSms } from '#platform/gateways/sms/callbacks.ts';
import { addDeadLetter } from '#platform/work/dead-letters/store.ts';
import { internationalPhone } from './address.ts';
import { optWord } from './opt-words.ts';
import { matchSms, shownBody } from './receive.ts';
import { deleteUnmatched, findUnmatched, insertUnmatched } from './store.ts';

export const noWorkshopFound = {
  reason: 'noWorkshop',
  detail:
    'An SMS from an unknown sender came to a number that is no workshop’s: give the workshop its sender, and retry this letter.',
} as const;

/** Stores it once; the log contains neither sender nor text. */
export async function storeUnmatched(context: Context, gateway: string, sms: InboundSms): Promise<void> {
  const { log } = context;
  const id = newId();
  const { gatewayId, to, attachments = [] } = sms;
  const body = bodyToKeep(sms);
  const from = internationalPhone(sms.from) ?? sms.from;
  const isNew = await change(context, async ({ tx, now }) => {
    const unmatched = { id, gateway, gatewayId, from, to, body, attachments, receivedAt: now };
    if (!(await insertUnmatched(tx, unmatched))) return false;
    const letter = {
      job: 'placeInbound',
      payload: { unplacedId: id },
      ...noWorkshopFound,
      attempts: 1,
      at: now,
    };
    await addDeadLetter(tx, letter);
    return true;
  });
  if (isNew) log.warn({ gateway, unplacedId: id }, 'an SMS matches no workshop and became a dead letter');
}

/** Runs in the caller's transaction; `now` is business time. Throws OperatorError while it matches no workshop. */
export async function retryUnmatched(tx: Queryable, id: string, now: Date): Promise<void> {
  const sms = await findUnmatched(tx, id);
  if (sms === null) return;
  const received = await matchSms(tx, sms.gateway, sms, now, sms.receivedAt);
  if (received.messageId === null && !received.repeated)
    throw new OperatorError(noWorkshopFound.detail, { refusal: { code: 'noWorkshop' } });
  await deleteUnmatched(tx, id);
}

/** The text that is read again has to be an opt-out word still, also where it was the provider that took it for one. */
function bodyToKeep(sms: InboundSms): string {
  const { body, buttonPayload = '', optOut } = sms;
  if (optWord(body) === null && optWord(buttonPayload) !== null) return buttonPayload;
  const shown = shownBody(sms);
  return optOut && optWord(shown) !== optOut ? optOut.toUpperCase() : shown;
}
