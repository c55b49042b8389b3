/** SQL for work that continues after its request was answered: whether the session and its rights are unchanged. */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import type { Role, Switches } from '../../permissions.ts';
import { isInUse, requiringFactor } from '../store.ts';

/** A session at a workshop, with the person's rights at the time of the request. */
export interface SessionState extends Switches {
  readonly sessionId: string;
  readonly workshopId: string;
  readonly role: Role;
}

const text = planOnce(
  `SELECT asked.ordinal::integer AS ordinal
     FROM ROWS FROM (jsonb_to_recordset($1::jsonb)
            AS (session_id uuid, workshop_id uuid, role text, may_text boolean, sees_phones boolean))
          WITH ORDINALITY AS asked (session_id, workshop_id, role, may_text, sees_phones, ordinal)
     JOIN session s ON s.id = asked.session_id AND ${isInUse('s')}
     JOIN membership m ON m.person_id = s.person_id AND m.workshop_id = asked.workshop_id
      AND m.role = asked.role AND m.may_text = asked.may_text AND m.sees_phones = asked.sees_phones
    WHERE NOT EXISTS (SELECT FROM ${requiringFactor('s.person_id')})`,
);

/**
 * Those whose session is in use and lacks no second factor, and whose person still has the same rights at the workshop, in one
 * statement.
 */
export async function checkSessions<T extends SessionState>(
  db: Queryable,
  asked: readonly T[],
): Promise<ReadonlySet<T>> {
  const rows = asked.map(({ sessionId, workshopId, role, mayText, seesPhones }) => ({
    ...{ sessionId, workshopId, role, mayText, seesPhones },
  }));
  const found = await db.query<{ ordinal: number }>(text, [recordset(rows)]);
  return new Set(found.flatMap(({ ordinal }) => asked[ordinal - 1] ?? []));
}
