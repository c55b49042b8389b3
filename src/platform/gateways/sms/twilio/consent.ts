/**
 * Tells Twilio that somebody agreed to SMS again (its "Bulk Upsert Consents", POST /v1/Consents/Bulk): it overrides a STOP to that
 * sender. Twilio gives access to it on request.
 */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { jsonFields, listIn, textIn } from '../fields.ts';
import type { OptInOutcome } from '../gateway.ts';
import { isRedirect, wordsOf } from '../http-outcome.ts';

export interface Consent {
  /** E.164. */
  readonly phone: string;
  /** A messaging service, or a number. */
  readonly sender: string;
  /** A UUID, the same for every attempt. */
  readonly reference: string;
  /** Null: unknown. */
  readonly agreedAt: Date | null;
}

/** Carriers of the US keep STOP to a toll-free number themselves. */
const tollFreeOfUs = /^\+1(?:800|833|844|855|866|877|888)\d{7}$/;

const refused = (detail: string): OptInOutcome => ({ state: 'refused', detail });

/** Rejects when Twilio can't be asked now. */
export async function giveConsent(
  { phone, sender, reference, agreedAt }: Consent,
  post: (body: string) => Promise<HttpResponse>,
): Promise<OptInOutcome> {
  if (tollFreeOfUs.test(sender))
    return refused('Carriers of the US keep STOP to a toll-free number: only START ends it.');
  if (!/^(?:MG[0-9a-f]{32}|\+?\d+)$/i.test(sender))
    return refused('The sender is a name, for which Twilio keeps no list.');
  const correlationId = reference.replaceAll('-', '');
  const item = {
    contact_id: phone,
    correlation_id: correlationId,
    sender_id: sender,
    status: 'opt-in',
    source: 'others',
    ...(agreedAt !== null && { date_of_consent: agreedAt.toISOString() }),
  };
  return outcomeOf(
    await post(new URLSearchParams({ Items: JSON.stringify(item) }).toString()),
    correlationId,
  );
}

function outcomeOf(answer: HttpResponse, correlationId: string): OptInOutcome {
  if (answer.state !== 'answered') throw new Error(answer.detail);
  const { status, body } = answer;
  if (status === 408 || status === 429 || status >= 500)
    throw new Error(`Twilio answered with status ${status}.`);
  if (status === 401 || status === 403 || status === 404 || isRedirect(status))
    return refused(
      `Twilio does not let this account use its Consent API (status ${status}): see TWILIO_CONSENT_URL.`,
    );
  const fields = jsonFields(body) ?? {};
  if (status >= 400)
    return refused(`Twilio refused it: ${wordsOf(textIn(fields, 'message') ?? `status ${status}`)}`);
  const ours = listIn(fields, 'items').find((item) => textIn(item, 'correlation_id') === correlationId);
  if (ours === undefined) throw new Error(`Twilio answered ${status} without a result.`);
  const code = Number(textIn(ours, 'error_code') ?? 0);
  const said = Array.isArray(ours['error_messages']) ? ours['error_messages'].map(String).join(' ') : '';
  if (code === 0 && said === '') return { state: 'told' };
  if (said.includes('INTERNAL_SERVER_ERROR')) throw new Error('Twilio could not do it for now.');
  return refused(`Twilio refused it: ${wordsOf(said) || `error ${code}`}`);
}
