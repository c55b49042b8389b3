/**
 * Limits the SMS that a workshop's staff write, over every entry point: pages, command line, replies by e-mail. They are counted in
 * the transaction that queues the SMS, so an SMS that is not queued does not count.
 */
import type { Config } from '#base/config.ts';
import type { Actor } from '#base/values/actor.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';

const windowSeconds = 3_600;
const perPerson: RateLimit = { policy: 'staff-sms-person', quota: 60, windowSeconds };

export interface StaffSms {
  readonly workshopId: string;
  readonly actor: Actor;
  /** The author, when the actor does not name one: the author of an e-mail. */
  readonly author?: string | null;
}

/** Throws 429 when the person has sent 60 SMS within the hour over all workshops, or the workshop has reached its limit. */
export async function countStaffSms(
  tx: Queryable,
  { staffSmsPerWorkshop: quota }: Pick<Config, 'staffSmsPerWorkshop'>,
  { workshopId, actor, author = null }: StaffSms,
): Promise<void> {
  const person = author ?? (actor.kind === 'person' ? actor.personId : null);
  if (person !== null) {
    const refusal = `not sent: a person sends at most ${perPerson.quota} texts an hour`;
    await countAttempt({ db: tx }, { limit: perPerson, refusal, source: [perPerson.policy, person] });
  }
  const limit = { policy: 'staff-sms-workshop', quota, windowSeconds };
  const refusal = `not sent: the people of a workshop send at most ${quota} texts an hour`;
  await countAttempt({ db: tx }, { limit, refusal, source: [limit.policy, workshopId] });
}
