/** SQL of what customers wrote lately. */
import type { Queryable } from '#platform/db/database.ts';

/** Looked at again and again: what commits late is found by the next look. By the machine's clock. */
const lookBackSeconds = 60;
const textsAtMost = 10;

export interface NewText {
  readonly id: string;
  readonly conversationId: string;
  /** Of the customer; of one who was merged, of the one who was kept. */
  readonly name: string;
  readonly body: string;
}

/** The newest texts of customers of the last minute, newest first, at most ten. */
export const listNews = (db: Queryable, workshopId: string): Promise<NewText[]> =>
  db.query<NewText>(
    `SELECT m.id, m.conversation_id, kept.name, m.body
       FROM message m JOIN customer k ON k.id = m.customer_id JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id)
      WHERE m.workshop_id = $1 AND m.kind = 'inbound'
        AND m.id >= first_id(clock_timestamp() - interval '${lookBackSeconds} seconds')
      ORDER BY m.id DESC LIMIT ${textsAtMost}`,
    [workshopId],
  );
