/** What a request for a reminder comes to. */
import { messageLimit } from '#product/messaging/rules.ts';
import type { SentReminderAnswer, ServiceReminder } from './schema.ts';

export interface Reminded {
  readonly answer: SentReminderAnswer;
  /** How many more requests the rate limit lets pass in this second. */
  readonly remaining: number;
  /** True when this was made by an earlier request, and nothing was sent now. */
  readonly replayed: boolean;
}

/** One that is scheduled; or what has become of it, where it never came to an SMS. */
export function notSentYet(serviceReminder: ServiceReminder, replayed: boolean): Reminded {
  const success = serviceReminder.status !== 'failed';
  return { answer: { success, serviceReminder, sms: null }, remaining: messageLimit.quota, replayed };
}
