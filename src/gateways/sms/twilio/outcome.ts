/** What Twilio answers to a new message. */
import type { HttpAnswer } from '#gateways/http-call.ts';
import { jsonFields, textIn } from '../fields.ts';
import type { SmsOutcome } from '../gateway.ts';
import { notNow, outcomeByStatus, refused, unavailable } from '../http-outcome.ts';
import { faultOf, type TwilioFault, wordsOf } from './errors.ts';

const provider = { name: 'Twilio', urlSetting: 'TWILIO_URL', keySetting: 'TWILIO_ACCOUNT_SID' };
const messageSid = /^(?:SM|MM)[0-9a-f]{32}$/i;

const outcomes: Readonly<Record<TwilioFault, (detail: string) => SmsOutcome>> = {
  number: (detail) => refused(detail, 'invalidNumber'),
  route: (detail) => ({ ...refused(detail), elsewhere: true }),
  // Another gateway would only get round what the customer wants.
  optedOut: (detail) => ({ state: 'refused', permanent: true, reason: 'optedOut', detail }),
  busy: notNow,
  account: unavailable,
  sender: refused,
  senderForNumber: refused,
  message: refused,
};

/** Of a sender of ours: another gateway has another one. For one number alone Twilio may have no sender, and work for others. */
const withOurSender: Readonly<Partial<Record<TwilioFault, TwilioFault>>> = {
  sender: 'account',
  senderForNumber: 'route',
};

/**
 * `isOwnSender` is true where the sender is the workshop's and not the gateway's. Of a 5xx Twilio says that the SMS may
 * have been sent all the same, of a 429 that it never was.
 */
export function outcomeOf(answer: HttpAnswer, isOwnSender: boolean): SmsOutcome {
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
    return outcomes[isOwnSender ? fault : (withOurSender[fault] ?? fault)](detail);
  }
  if (byStatus !== null) return byStatus;
  if (status >= 400) return unavailable(`What answers at TWILIO_URL is not Twilio: status ${status}.`);
  const sid = textIn(fields, 'sid') ?? '';
  return messageSid.test(sid)
    ? { state: 'accepted', gatewayId: sid }
    : { state: 'unknown', detail: `Twilio answered ${status} without a message id.` };
}
