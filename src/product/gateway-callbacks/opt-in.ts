/** START also undoes an opt-out at a provider that has an operation for it. */

import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { InboundSms } from '#platform/gateways/sms/callbacks.ts';
import { memberNamed } from '#platform/gateways/sms/members.ts';
import { internationalPhone } from '#product/messaging/inbound/address.ts';
import { optWord } from '#product/messaging/inbound/opt-words.ts';
import { accountOfInbound } from '#product/messaging/inbound/store.ts';

const withinMs = 10_000;

/**
 * Runs after the SMS was stored; a repeat of the callback changes nothing there. Throws 503 when the provider did not accept the
 * opt-in, so that the gateway repeats the callback.
 */
export async function optInAtGateway(
  { sms, db, log }: Pick<Context, 'sms' | 'db' | 'log'>,
  name: string,
  answer: InboundSms,
): Promise<void> {
  if ((answer.optOut ?? optWord(answer.body)) !== 'start') return;
  const gateway = memberNamed(sms, name);
  const phone = internationalPhone(answer.from);
  if (gateway?.optIn === undefined || gateway.hearsWords || phone === null) return;
  const account = await accountOfInbound(db, name, answer.gatewayId);
  try {
    const at = { account, from: null, reference: newId(), agreedAt: null };
    const told = await gateway.optIn(phone, at, AbortSignal.timeout(withinMs));
    if (told.state === 'refused') log.warn({ ...told, gateway: name }, 'the provider refused an opt-in');
  } catch (err) {
    log.warn({ err, gateway: name }, 'an opt-in could not be told to the provider');
    throw new Problem('000007', { message: 'The opt-in could not be told to the provider' });
  }
}
