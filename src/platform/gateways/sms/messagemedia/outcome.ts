/** Reads MessageMedia's response to a message. */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { jsonFields, listIn, textIn } from '../fields.ts';
import type { SmsOutcome } from '../gateway.ts';
import { notItsOwn, notNow, outcomeOrResponse, refused, unavailable, wordsOf } from '../http-outcome.ts';

const provider = {
  name: 'MessageMedia',
  urlSetting: 'MESSAGEMEDIA_URL',
  keySetting: 'MESSAGEMEDIA_API_KEY',
};

/** A detail that names a field of the message, such as `/messages/0/content: …`. */
const field = /^\/messages\/\d+\/(\w+)/;

/** Fields that follow from the settings and the clock of this installation, whatever the message is. */
const ownFields = new Set([
  'callback_url',
  'delivery_report',
  'format',
  'message_expiry_timestamp',
  'metadata',
]);

const tlsWanted = 'it takes SMS to Singapore over TLS 1.3 alone';

/** A refusal about one workshop's account, which says nothing about the gateway. */
const notThisAccount: SmsOutcome = {
  ...refused('MessageMedia does not allow sending from the account of this workshop.'),
  elsewhere: true,
};

/**
 * Each request holds one message: it is accepted with 202, or refused as a whole. A refusal that names no field says nothing
 * about the message; one of the documented texts is "Something went wrong. Please try again later." One that names fields of
 * ours alone is a fault of the settings. 422 is documented for numbers of Singapore over a connection older than TLS 1.3.
 */
export function outcomeOf(answer: HttpResponse, isOwnAccount = false): SmsOutcome {
  if (isOwnAccount && answer.state === 'answered' && [401, 403].includes(answer.status))
    return notThisAccount;
  const own = outcomeOrResponse(answer, provider);
  if (own.state !== 'answered') return own;
  const { status, body } = own;
  const read = jsonFields(body);
  if (status >= 400 && read === null) return notItsOwn(provider.name, status);
  const fields = read ?? {};
  if (status === 202) {
    const gatewayId = textIn(listIn(fields, 'messages')[0] ?? {}, 'message_id');
    if (gatewayId !== null) return { state: 'accepted', gatewayId };
  }
  if (status < 300)
    return { state: 'unknown', detail: `MessageMedia answered ${status} without a message id.` };
  const details = Array.isArray(fields['details']) ? fields['details'].map(String) : [];
  const detail = wordsOf([textIn(fields, 'message') ?? `Status ${status}.`, ...details].join(' '));
  if (status === 422) return { ...refused(`MessageMedia: ${detail} (${tlsWanted})`), elsewhere: true };
  const faults = details.flatMap((text) => field.exec(text)?.[1] ?? []);
  if (faults.length === 0) return notNow(`MessageMedia: ${detail}`);
  if (faults.every((name) => ownFields.has(name)))
    return unavailable(`MessageMedia: ${detail} (see PITLANE_PUBLIC_URL, and the clock of this machine)`);
  return refused(
    `MessageMedia: ${detail}`,
    faults.includes('destination_number') ? 'invalidNumber' : 'refused',
  );
}
