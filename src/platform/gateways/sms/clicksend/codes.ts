/** ClickSend's codes for a message or a request that it refused (its documentation, Application Status Codes). */
import type { SmsOutcome } from '../gateway.ts';
import { notNow, refused, unavailable } from '../http-outcome.ts';

const outcomes = new Map<string, SmsOutcome>(
  Object.entries({
    INVALID_RECIPIENT: refused('ClickSend: the number is not valid.', 'invalidNumber'),
    INVALID_SENDER_ID: refused(
      'ClickSend: the sender is not allowed: a number of the account, or a name of at most 11 characters without spaces.',
    ),
    EMPTY_MESSAGE: refused('ClickSend: the message is empty.'),
    MISSING_REQUIRED_FIELDS: refused('ClickSend: something is missing in the request.'),
    TOO_MANY_RECIPIENTS: refused('ClickSend: too many recipients.'),
    COUNTRY_NOT_ENABLED: {
      ...refused('ClickSend: the account may not send to this country: enable it in its dashboard.'),
      elsewhere: true,
    },
    REGISTRATION_NEEDED: {
      ...refused('ClickSend: the account or its sender must be registered for this country.'),
      elsewhere: true,
    },
    // ClickSend has just sent the same text to the same number: another gateway would send it twice.
    THROTTLED: {
      ...notNow('ClickSend: the same text was sent to this number a few seconds ago.'),
      elsewhere: false,
    },
    INSUFFICIENT_CREDIT: notNow('ClickSend: the account has no credit left.'),
    ACCOUNT_NOT_ACTIVATED: unavailable('ClickSend: the account is not active.'),
    MISSING_CREDENTIALS: unavailable('ClickSend does not take the user name and key (CLICKSEND_USERNAME).'),
    INVALID_CREDENTIALS: unavailable('ClickSend does not take the user name and key (CLICKSEND_USERNAME).'),
    INTERNAL_ERROR: { state: 'unknown', detail: 'ClickSend had an error of its own.' },
    UNAUTHORIZED: unavailable('ClickSend does not take the user name and key (CLICKSEND_USERNAME).'),
  } satisfies Record<string, SmsOutcome>),
);

/** These are about the account that sends. */
const aboutAccount = new Set([
  'INSUFFICIENT_CREDIT',
  'ACCOUNT_NOT_ACTIVATED',
  'MISSING_CREDENTIALS',
  'INVALID_CREDENTIALS',
  'UNAUTHORIZED',
]);

/** The outcome of a refusal of one workshop's account, which says nothing about the gateway. `why` is a code, or a status. */
export const notThisAccount = (why: string | number): SmsOutcome => ({
  ...refused(`ClickSend does not allow sending from the account of this workshop (${why}).`),
  elsewhere: true,
});

/** Null for a code that is not known. `isOwnAccount`: the account is the workshop's and not the gateway's. */
export function outcomeByCode(code: string, isOwnAccount: boolean): SmsOutcome | null {
  return isOwnAccount && aboutAccount.has(code) ? notThisAccount(code) : (outcomes.get(code) ?? null);
}
