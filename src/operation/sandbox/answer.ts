/** An SMS that a customer sends: POST /sandbox/inbound, and the form of the page. */
import { newId } from '#base/values/id.ts';
import { parsePhone } from '#base/values/phone.ts';
import { invalidFields } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';

export interface CustomersSms {
  /** An Australian number in any form, another one with its country code. */
  readonly from: string;
  /** The number that the workshop sends from; absent: the workshop that was last in touch with `from`. */
  readonly to?: string | null | undefined;
  readonly body: string;
}

/** Receives the SMS as if a gateway had delivered it. Throws 400 000001 for a `from` that is not a phone number. */
export async function receiveAnswer(context: Context, { from: sent, to, body }: CustomersSms) {
  const from = parsePhone(sent, 'AU');
  if (from === null) {
    const message = 'must be a valid phone number, or one with its country code';
    throw invalidFields([{ field: 'from', message }]);
  }
  const address = to === undefined || to === null ? '' : (parsePhone(to, 'AU') ?? to);
  const sms = { gatewayId: newId(), from, to: address, body };
  const { repeated: _, ...placed } = await receiveSms(context, 'sandbox', sms);
  return { placed: placed.messageId !== null, ...placed };
}
