/** SQL of what customers wrote lately. */
import type { Queryable } from '#platform/db/database.ts';

/** Each query looks this far back, by the machine's clock: the next one finds messages that commit late. */
const lookBackSeconds = 60;
const textsAtMost = 10;

export interface NewText {
  readonly id: string;
  readonly conversationId: string;
  /** The id of the customer; of a merged one, that of the kept one. */
  readonly customerId: string;
  /** The customer's name; of a merged customer, the name of the kept one. */
  readonly name: string;
  readonly body: string;
}

/** The newest texts of customers of the last minute, newest first, at most ten. */
export const listNews = (db: Queryable, workshopId: string): Promise<NewText[]> =>
  db.query<NewText>(
    `SELECT m.id, m.conversation_id, kept.id AS customer_id, kept.name, m.body
       FROM message m JOIN customer k ON k.id = m.customer_id JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id)
      WHERE m.workshop_id = $1 AND m.kind = 'inbound'
        AND m.id >= (SELECT first_id(clock_timestamp() - interval '${lookBackSeconds} seconds'))
      ORDER BY m.id DESC LIMIT ${textsAtMost}`,
    [workshopId],
  );
