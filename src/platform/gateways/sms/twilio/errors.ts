/** Twilio's numbered errors (its "Error and Warning Dictionary"): what each says about an SMS, in words for people. */
import { wordsOf as withoutNumbers } from '../http-outcome.ts';

/**
 * The subject of an error at the hand-over: the number; the route to it, which another gateway may have; a customer who has opted
 * out of this sender; load; the account or its settings; the messaging service; the sender, in general or for this number; the
 * message itself.
 */
export type TwilioFault =
  | 'number'
  | 'route'
  | 'optedOut'
  | 'busy'
  | 'account'
  | 'service'
  | 'sender'
  | 'senderForNumber'
  | 'message';

/** Absent for an error that occurs in reports only. */
const errors: ReadonlyMap<number, readonly [words: string, fault?: TwilioFault]> = new Map([
  [10001, ['The Twilio account is not active', 'account']],
  [14107, ['Twilio has had too many messages for now', 'busy']],
  [20005, ['The Twilio account is not active', 'account']],
  [20003, ['Twilio does not take the account and its token', 'account']],
  [20010, ['The Twilio account may not do this', 'account']],
  [20403, ['The Twilio account may not do this', 'account']],
  [20404, ['Twilio does not know the account', 'account']],
  [20429, ['Twilio has had too many requests for now', 'busy']],
  [21211, ['The number is not a valid one', 'number']],
  [21212, ['The sender is no valid number or name, or may not send', 'sender']],
  [21217, ['The number is not a valid one', 'number']],
  [21265, ['The number is a short code, which gets no SMS', 'number']],
  [21266, ['The number is the sender itself', 'message']],
  [21267, ['The name can not be used as a sender', 'sender']],
  [21408, ['The Twilio account may not send to this country', 'route']],
  [21602, ['The text is empty', 'message']],
  [21603, ['There is no sender', 'sender']],
  [21605, ['The text is too long', 'message']],
  [21606, ['The sender is not of this account, or sends no SMS to this country', 'senderForNumber']],
  [21608, ['A trial account sends only to numbers that were verified with Twilio', 'route']],
  [21609, ['Twilio can not use PITLANE_PUBLIC_URL for delivery reports', 'account']],
  [21610, ['The customer has told this sender to stop, by an SMS to Twilio', 'optedOut']],
  [21611, ['Too many SMS of this sender are waiting at Twilio', 'busy']],
  [21612, ['Twilio has no way from this sender to this number', 'route']],
  [21614, ['The number is not a mobile one', 'number']],
  [21617, ['The text is too long', 'message']],
  [21619, ['There is no text, picture or template to send', 'message']],
  [21635, ['The number is a landline, which gets no SMS', 'number']],
  [21657, ['The sender can not be used for this country, or must be registered there', 'senderForNumber']],
  [21659, ['The sender is not a number of Twilio, or not of this country', 'senderForNumber']],
  [21660, ['The sender belongs to another account', 'sender']],
  [21661, ['The sender can not send SMS', 'sender']],
  [21701, ['Twilio does not know the messaging service', 'service']],
  [21702, ['The messaging service can not be used', 'service']],
  [21703, ['The messaging service has no sender for this number', 'route']],
  [21704, ['The messaging service has no sender', 'service']],
  [21705, ['Twilio does not know the messaging service', 'service']],
  [21709, ['The messaging service may not use this name as a sender', 'sender']],
  [21711, ['The sender is not of the messaging service', 'sender']],
  [21730, ['Twilio is under maintenance', 'busy']],
  [30001, ['Too many SMS are waiting at Twilio', 'busy']],
  [30002, ['The Twilio account is suspended', 'account']],
  [30003, ['The phone is switched off or can not be reached']],
  [30004, ['The carrier has blocked the SMS']],
  [30005, ['The carrier does not know the number']],
  [30006, ['The number is a landline, or its carrier can not be reached']],
  [30007, ['A filter of Twilio or of the carrier has stopped the SMS']],
  [30008, ['The carrier gives no reason']],
  [30010, ['The SMS costs more than was allowed']],
  [30017, ['The carrier has too much to do']],
  [30018, ['The carrier wants the sender to be registered']],
  [30019, ['The SMS is too long for the carrier']],
  [30022, ['The sender has sent too much for now', 'busy']],
  [30023, ['The sender has sent too much today', 'busy']],
  [30024, ['The carrier does not know the sender']],
  [30032, ['The toll-free sender is not verified']],
  [30034, ['The sender is not registered']],
  [30036, ['Its time was over before it could be sent']],
  [30037, ['The Twilio account may not send', 'account']],
  [30040, ['The carrier wants the sender to be registered']],
  [30041, ['The sender is not registered']],
  [30127, ['Twilio does not know the messaging service', 'service']],
  [30450, ['Twilio has blocked the SMS as a sign of fraud']],
  [30454, ['The account has sent too much', 'busy']],
  [60728, ['The account has sent too much in this hour', 'busy']],
  [63017, ['The account sends too much a second', 'busy']],
  [63038, ['The account has sent too much today', 'busy']],
]);

/** The SMS waited at Twilio for longer than it may. */
export const expiredError = 30036;

/** Undefined for an unknown error, or one that occurs in reports only. */
export const faultOf = (code: number): TwilioFault | undefined => errors.get(code)?.[1];

/** A whole sentence. `said` is Twilio's own text, for an unknown error. */
export function wordsOf(code: number, said: string | null): string {
  const words = errors.get(code)?.[0] ?? withoutNumbers(said ?? '').replace(/(?<![.\s])[.\s]+$/, '');
  return words === '' ? `Twilio's error ${code}.` : `${words} (Twilio's error ${code}).`;
}
