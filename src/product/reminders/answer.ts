/** The result of a request for a reminder. */
import { messageLimit } from '#product/messaging/rules.ts';
import type { SentReminderAnswer, ServiceReminder } from './schema.ts';

export interface Reminded {
  readonly answer: SentReminderAnswer;
  /** How many more requests the rate limit allows in this second. */
  readonly remaining: number;
  /** True when an earlier request created it, and nothing was sent now. */
  readonly replayed: boolean;
}

/** The result for a scheduled reminder, or for one that ended without an SMS. */
export function notSentYet(serviceReminder: ServiceReminder, replayed: boolean): Reminded {
  const success = serviceReminder.status !== 'failed';
  return { answer: { success, serviceReminder, sms: null }, remaining: messageLimit.quota, replayed };
}
