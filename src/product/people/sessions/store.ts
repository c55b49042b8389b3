/** SQL of sessions, by the machine's clock. A session ends 30 days after its last use, and 90 days after its sign-in. */
import type { Queryable } from '#platform/db/database.ts';
import type { Role, Switches } from '../permissions.ts';

/** A workshop that somebody works at. */
export interface Membership extends Switches {
  readonly workshopId: string;
  readonly slug: string;
  readonly name: string;
  /** IANA name. */
  readonly timezone: string;
  /** ISO 3166 */
  readonly country: string;
  /** Of its pages, `#rrggbb`; null: the usual one. */
  readonly colour: string | null;
  readonly role: Role;
}

/** Who is signed in, and where they may go. */
export interface SignedIn {
  readonly sessionId: string;
  readonly signedInAt: Date;
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly undoSeconds: 10 | 60;
  readonly singleKeys: boolean;
  /** Null: none yet. */
  readonly lastWorkshopId: string | null;
  /** By name; the first 200. */
  readonly memberships: readonly Membership[];
  /** Ids of partners that are not suspended. */
  readonly partners: readonly string[];
}

/** A condition: the session row `s` has neither ended nor run out. */
export const isOpen = (
  s: string,
) => `(${s}.ended_at IS NULL AND ${s}.used_at > clock_timestamp() - interval '30 days'
       AND ${s}.signed_in_at > clock_timestamp() - interval '90 days')`;

/** A use is written once a minute at most. Null: no session, or one that has ended. */
export async function readSession(db: Queryable, tokenSha256: Buffer): Promise<SignedIn | null> {
  const [row] = await db.query<SignedIn>(
    `WITH open AS MATERIALIZED (
       SELECT id, person_id, signed_in_at, used_at FROM session
        WHERE token_sha256 = $1 AND ${isOpen('session')}
     ),
     -- why a use is what keeps a session open
     used AS (
       UPDATE session SET used_at = clock_timestamp() FROM open
        WHERE session.id = open.id AND open.used_at < clock_timestamp() - interval '1 minute'
     )
     SELECT open.id AS session_id, open.signed_in_at, person.id AS person_id, person.email, person.name,
            person.is_operator, person.undo_seconds, person.single_keys, person.last_workshop_id,
            ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name,
                    'timezone', workshop.timezone, 'country', workshop.country, 'colour', workshop.colour, 'role', its.role, 'mayText', its.may_text, 'seesPhones', its.sees_phones)
                    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
                   WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id LIMIT 200) AS memberships,
            ARRAY(SELECT its.partner_id FROM developer its JOIN partner ON partner.id = its.partner_id
                   WHERE its.person_id = person.id AND partner.status = 'active' ORDER BY its.partner_id LIMIT 200) AS partners
       FROM open JOIN person ON person.id = open.person_id`,
    [tokenSha256],
  );
  return row ?? null;
}

/** The workshop that /console leads to. */
export async function setLastWorkshop(db: Queryable, personId: string, workshopId: string): Promise<void> {
  await db.query('UPDATE person SET last_workshop_id = $2 WHERE id = $1', [personId, workshopId]);
}
