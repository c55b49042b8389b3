/** What MessageMedia answers to a message. */
import type { HttpAnswer } from '#gateways/http-call.ts';
import { jsonFields, listIn, textIn } from '../fields.ts';
import type { SmsOutcome } from '../gateway.ts';
import { notItsOwn, notNow, outcomeOrAnswer, refused, wordsOf } from '../http-outcome.ts';

const provider = {
  name: 'MessageMedia',
  urlSetting: 'MESSAGEMEDIA_URL',
  keySetting: 'MESSAGEMEDIA_API_KEY',
};

/** A detail that says what is wrong with the message, such as `/messages/0/content: …`. */
const field = /^\/messages\/\d+\/(\w+)/;

/**
 * One message a request: it is accepted with 202, or none of the request is. A refusal that names no field says nothing
 * about the message; one of its documented texts is "Something went wrong. Please try again later."
 */
export function outcomeOf(answer: HttpAnswer): SmsOutcome {
  const own = outcomeOrAnswer(answer, provider);
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
  const faults = details.flatMap((text) => field.exec(text)?.[1] ?? []);
  if (faults.length === 0) return notNow(`MessageMedia: ${detail}`);
  return refused(
    `MessageMedia: ${detail}`,
    faults.includes('destination_number') ? 'invalidNumber' : 'refused',
  );
}
