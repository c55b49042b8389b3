/** SQL that lists messages that did not arrive, or of which that is not known. */
import type { Queryable } from '#db/database.ts';

/** The states of a message that somebody should look at. */
export const troubledStates = ['undelivered', 'expired', 'failed', 'unknown'] as const;
export type TroubledState = (typeof troubledStates)[number];

export interface TroubledMessage {
  readonly messageId: string;
  readonly workshopId: string;
  readonly workshop: string;
  readonly kind: string;
  readonly channel: string;
  readonly audience: string;
  readonly recipient: string;
  readonly state: TroubledState;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly attempts: number;
  /** Business time. */
  readonly createdAt: Date;
}

export interface TroubledPage {
  readonly states: readonly TroubledState[];
  /** Machine time. */
  readonly since: Date;
  /** The id of the last one of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** The newest first. It reads the messages that were made since then, by their ids. */
export async function listTroubledMessages(db: Queryable, page: TroubledPage): Promise<TroubledMessage[]> {
  return db.query<TroubledMessage>(
    `SELECT m.id AS "messageId", m.workshop_id AS "workshopId", w.name AS workshop, m.kind, m.channel, m.audience, m.recipient, m.state,
            m.reason, m.detail, m.attempts, m.created_at AS "createdAt"
       FROM message m JOIN workshop w ON w.id = m.workshop_id
      WHERE m.id >= first_id($1) AND ($2::uuid IS NULL OR m.id < $2) AND m.direction = 'outbound' AND m.state = ANY($3::text[])
      ORDER BY m.id DESC LIMIT $4`,
    [page.since, page.before, page.states, page.limit],
  );
}
