/** Reads ClickSend's response to a message. The HTTP status is the request's; each message has its own status. */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { type Fields, isFields, jsonFields, listIn, textIn } from '../fields.ts';
import type { SmsOutcome } from '../gateway.ts';
import { notItsOwn, outcomeOrResponse, refused, wordsOf } from '../http-outcome.ts';
import { notThisAccount, outcomeByCode } from './codes.ts';

const provider = { name: 'ClickSend', urlSetting: 'CLICKSEND_URL', keySetting: 'CLICKSEND_USERNAME' };

export function outcomeOf(answer: HttpResponse, reference: string, isOwnAccount = false): SmsOutcome {
  if (isOwnAccount && answer.state === 'answered' && [401, 403].includes(answer.status))
    return notThisAccount(answer.status);
  const own = outcomeOrResponse(answer, provider);
  if (own.state !== 'answered') return own;
  const { status, body } = own;
  const read = jsonFields(body);
  if (status >= 400 && read === null) return notItsOwn(provider.name, status);
  const fields = read ?? {};
  const code = textIn(fields, 'response_code') ?? '';
  if (status >= 400) {
    const words = wordsOf(textIn(fields, 'response_msg') ?? (code || `status ${status}`));
    return outcomeByCode(code, isOwnAccount) ?? refused(`ClickSend: ${words}`);
  }
  const message = messageIn(fields, reference);
  if (message === null) {
    // An error in a 200 response is not documented, so only a known code decides the outcome.
    return (
      outcomeByCode(code, isOwnAccount) ?? {
        state: 'unknown',
        detail: `ClickSend answered ${status} without the message.`,
      }
    );
  }
  const said = textIn(message, 'status') ?? '';
  const gatewayId = textIn(message, 'message_id');
  if (said === 'SUCCESS' && gatewayId !== null) return { state: 'accepted', gatewayId };
  return (
    outcomeByCode(said, isOwnAccount) ?? {
      state: 'unknown',
      detail: `ClickSend says ${wordsOf(said) || 'nothing'} of it.`,
    }
  );
}

/** Our message of several; else the only one, which may lack our reference. */
function messageIn({ data }: Fields, reference: string): Fields | null {
  const messages = isFields(data) ? listIn(data, 'messages') : [];
  const ours = messages.find((message) => textIn(message, 'custom_string') === reference);
  return ours ?? (messages.length === 1 ? (messages[0] ?? null) : null);
}
