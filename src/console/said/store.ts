/** SQL of messages from and to a customer. */
import type { Queryable } from '#platform/db/database.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { idsOf } from '#product/customers/merged/store.ts';

export interface Said {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly channel: 'sms' | 'email';
  readonly kind: string;
  readonly subject: string | null;
  readonly body: string;
  readonly state: string;
  readonly reason: string | null;
  readonly at: Date;
}

export const saidAtMost = 50;

/**
 * An SQL expression: the newest 50 messages `m` that fulfil the condition, newest first, over all merged rows of the customer with
 * that id, and over the customers `alsoOf`, a uuid[]. Those of each row are read by an index.
 */
export const saidJson = (
  customerId: string,
  which: string,
  alsoOf = "'{}'::uuid[]",
): string => `coalesce((SELECT jsonb_agg(said ORDER BY said.id DESC) FROM (
              SELECT its.* FROM unnest(${idsOf(customerId)} || ${alsoOf}) AS one (id) CROSS JOIN LATERAL (
                SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at
                  FROM message m
                 WHERE m.customer_id = one.id AND m.audience = 'customer' AND ${which}
                 ORDER BY m.id DESC LIMIT ${saidAtMost}) AS its
               ORDER BY its.id DESC LIMIT ${saidAtMost}) AS said), '[]')`;

/** As `saidJson` brings it. */
export const readSaid = (said: Said): Said => ({ ...said, at: new Date(said.at) });

export interface SaidPage {
  readonly customerId: string;
  /** Further customers whose messages are listed with theirs. */
  readonly alsoOf?: readonly string[];
  /** The last message of the previous page; null: the first page. */
  readonly before: string | null;
}

/** Over all merged rows of the customer, newest first; 50 at most. */
export async function listSaid(
  db: Queryable,
  workshopId: string,
  { customerId, alsoOf = [], before }: SaidPage,
): Promise<Said[]> {
  const which = `m.workshop_id = $1 AND ${beforeId('m.id', '$3')}`;
  const [row] = await db.query<{ said: Said[] }>(
    `SELECT ${saidJson('$2::uuid', which, '$4::uuid[]')} AS said`,
    [workshopId, customerId, before, alsoOf],
  );
  return row?.said.map(readSaid) ?? [];
}
