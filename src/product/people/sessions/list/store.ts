/** SQL of the list of a person's sessions. */
import type { Queryable } from '#platform/db/database.ts';
import { isOpen, type SignedInBy } from '../store.ts';

export interface ShownSession {
  readonly sessionId: string;
  readonly signedInAt: Date;
  readonly usedAt: Date;
  /** Null: it is open. */
  readonly endedAt: Date | null;
  readonly network: string;
  readonly browser: string;
  /** Null: an earlier release did not store it. */
  readonly signedInBy: SignedInBy | null;
  /** The last network other than that of the sign-in; null: none. */
  readonly usedNetwork: string | null;
  readonly usedNetworkAt: Date | null;
  /** Another person is at that browser, and the person's PIN resumes the session. */
  readonly isPutAside: boolean;
}

/** The most sessions in the list of a person. */
const listedAtMost = 200;

/** Latest first; ended ones until 30 days after their end. */
export async function listSessions(db: Queryable, personId: string): Promise<ShownSession[]> {
  return db.query<ShownSession>(
    `SELECT id AS session_id, signed_in_at, used_at, network, browser, signed_in_by, used_network, used_network_at,
            put_aside_at IS NOT NULL AS is_put_aside,
            CASE WHEN ${isOpen('session')} THEN NULL
                 ELSE coalesce(ended_at, least(used_at + interval '30 days', signed_in_at + interval '90 days')) END AS ended_at
       FROM session WHERE person_id = $1 ORDER BY id DESC LIMIT ${listedAtMost}`,
    [personId],
  );
}
