/** Reads Twilio's response to a new message. */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { jsonFields, textIn } from '../fields.ts';
import type { SmsOutcome } from '../gateway.ts';
import { notNow, outcomeByStatus, refused, unavailable } from '../http-outcome.ts';
import { faultOf, type TwilioFault, wordsOf } from './errors.ts';

const provider = { name: 'Twilio', urlSetting: 'TWILIO_URL', keySetting: 'TWILIO_ACCOUNT_SID' };
const messageSid = /^(?:SM|MM)[0-9a-f]{32}$/i;

const outcomes: Readonly<Record<TwilioFault, (detail: string) => SmsOutcome>> = {
  number: (detail) => refused(detail, 'invalidNumber'),
  route: (detail) => ({ ...refused(detail), elsewhere: true }),
  // Another gateway would only circumvent the customer's opt-out.
  optedOut: (detail) => ({ state: 'refused', permanent: true, reason: 'optedOut', detail }),
  busy: notNow,
  account: unavailable,
  service: unavailable,
  sender: refused,
  senderForNumber: refused,
  message: refused,
};

/**
 * A refusal of a sender of the gateway: another gateway has another sender. For one number alone, Twilio may lack a sender and
 * work for others.
 */
const withOurSender: Readonly<Partial<Record<TwilioFault, TwilioFault>>> = {
  sender: 'account',
  senderForNumber: 'route',
};

/**
 * `isOwnSender` and `isOwnService` are true when the sender, or the messaging service, is the workshop's and not the gateway's.
 * Twilio documents that after a 5xx the SMS may have been sent, and after a 429 it never was.
 */
export function outcomeOf(
  answer: HttpResponse,
  { isOwnSender, isOwnService }: { readonly isOwnSender: boolean; readonly isOwnService: boolean },
): SmsOutcome {
  if (answer.state === 'lost') return { state: 'unknown', detail: answer.detail };
  if (answer.state === 'unreachable') return unavailable(answer.detail);
  const { status } = answer;
  const byStatus = outcomeByStatus(answer, provider);
  const fields = jsonFields(answer.body) ?? {};
  const code = fields['code'];
  if (typeof code === 'number' && status >= 400 && byStatus?.state !== 'unknown') {
    const detail = wordsOf(code, textIn(fields, 'message') ?? textIn(fields, 'title'));
    if (status === 429 && byStatus?.state === 'refused') return { ...byStatus, detail };
    const fault = faultOf(code) ?? (byStatus === null ? 'route' : 'account');
    // A fault of one workshop's service, or of a sender that is in it, says nothing about the gateway.
    if (isOwnService && (fault === 'service' || (fault === 'sender' && !isOwnSender)))
      return outcomes.route(detail);
    return outcomes[isOwnSender ? fault : (withOurSender[fault] ?? fault)](detail);
  }
  if (byStatus !== null) return byStatus;
  if (status >= 400) return unavailable(`What answers at TWILIO_URL is not Twilio: status ${status}.`);
  const sid = textIn(fields, 'sid') ?? '';
  return messageSid.test(sid)
    ? { state: 'accepted', gatewayId: sid }
    : { state: 'unknown', detail: `Twilio answered ${status} without a message id.` };
}
