/** SQL of sessions, by the machine's clock. A session ends 30 days after its last use, and 90 days after its sign-in. */
import type { Queryable } from '#platform/db/database.ts';
import { someFactor } from '../factors/store.ts';
import type { Role, Switches } from '../permissions.ts';

/** A workshop that a person works at. */
export interface Membership extends Switches {
  readonly workshopId: string;
  readonly slug: string;
  readonly name: string;
  /** IANA name. */
  readonly timezone: string;
  /** The version of its hours, bays and custom days. */
  readonly setupVersion: number;
  /** ISO 3166 */
  readonly country: string;
  /** The colour of its pages, `#rrggbb`; null: the default. */
  readonly colour: string | null;
  readonly role: Role;
}

/** A signed-in person, and their places. */
export interface SignedIn {
  readonly sessionId: string;
  readonly signedInAt: Date;
  /** When a PIN resumed it at a shared desk; null: never. */
  readonly switchedAt: Date | null;
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly undoSeconds: 10 | 60;
  readonly singleKeys: boolean;
  /** The version of the person's own settings. */
  readonly version: number;
  /** Null: none yet. */
  readonly lastWorkshopId: string | null;
  /** The workshop whose owner printed the code that the session began with. */
  readonly vouchedBy: string | null;
  /** The name of a workshop that requires a second factor which the person lacks: they have no places until it is set up. */
  readonly lacksFactorFor: string | null;
  /** By name; the first 200. */
  readonly memberships: readonly Membership[];
  /** Ids of partners that are not suspended. */
  readonly partners: readonly string[];
}

/** A condition: the session row `s` has neither ended nor expired. It may be put aside at a shared desk. */
export const isOpen = (
  s: string,
) => `(${s}.ended_at IS NULL AND ${s}.used_at > (SELECT clock_timestamp() - interval '30 days')
       AND ${s}.signed_in_at > (SELECT clock_timestamp() - interval '90 days'))`;

/**
 * A condition: no workshop of the person requires the PIN again after its minutes without use. A use is written at most once a
 * minute, hence one minute more.
 */
const isAwake = (s: string) => `NOT EXISTS (
         SELECT FROM membership its JOIN desk_rule rule ON rule.workshop_id = its.workshop_id
          WHERE its.person_id = ${s}.person_id
            AND ${s}.used_at < (SELECT clock_timestamp() - make_interval(mins => rule.ask_again_minutes + 1)))`;

/** A condition: the session row `s` is open, not put aside, and not idle for too long: its token signs in. */
export const isInUse = (s: string) => `(${s}.put_aside_at IS NULL AND ${isOpen(s)} AND ${isAwake(s)})`;

/** FROM and WHERE: the workshops that require a second factor of a person without one. */
export const requiringFactor = (
  person: string,
) => `membership its JOIN workshop ON workshop.id = its.workshop_id
                WHERE its.person_id = ${person} AND workshop.second_factor_required AND NOT ${someFactor(person)}`;

/** The origin of a request. */
export interface Use {
  /** /24 or /64. */
  readonly network: string;
  /** False: the page fetched itself, which does not count as a use. */
  readonly isByPerson: boolean;
}

/**
 * A use is written at most once a minute, and a use from another network than that of the sign-in at once; with `use` null neither
 * is written. Null: there is no session, or it has ended, was put aside, or was idle for too long.
 */
export async function readSession(
  db: Queryable,
  tokenSha256: Buffer,
  use: Use | null = null,
): Promise<SignedIn | null> {
  const [row] = await db.query<SignedIn>(
    `WITH open AS MATERIALIZED (
       SELECT id, person_id, signed_in_at, used_at, vouched_by, switched_at, network <> $2 AS is_elsewhere,
              used_network IS DISTINCT FROM $2 AS is_another FROM session
        WHERE token_sha256 = $1 AND ${isInUse('session')}
     ),
     -- why a use is what keeps a session open
     used AS (
       UPDATE session SET used_at = CASE WHEN $3::boolean THEN clock_timestamp() ELSE session.used_at END,
              used_network = CASE WHEN is_elsewhere THEN $2 ELSE used_network END,
              used_network_at = CASE WHEN is_elsewhere THEN clock_timestamp() ELSE used_network_at END
         FROM open
        WHERE session.id = open.id
          AND (($3::boolean AND open.used_at < (SELECT clock_timestamp() - interval '1 minute')) OR (is_elsewhere AND is_another))
     ),
     lacking AS MATERIALIZED (
       SELECT (SELECT workshop.name FROM ${requiringFactor('open.person_id')} ORDER BY workshop.name LIMIT 1) AS name
         FROM open)
     SELECT open.id AS session_id, open.signed_in_at, open.switched_at, open.vouched_by, person.id AS person_id, person.email, person.name,
            lacking.name AS lacks_factor_for, person.is_operator, person.undo_seconds, person.single_keys, person.version,
            person.last_workshop_id,
            ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name,
                    'timezone', workshop.timezone, 'setupVersion', workshop.setup_version, 'country', workshop.country,
                    'colour', workshop.colour, 'role', its.role, 'mayText', its.may_text, 'seesPhones', its.sees_phones)
                    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
                   WHERE its.person_id = person.id AND lacking.name IS NULL
                   ORDER BY workshop.name, workshop.id LIMIT 200) AS memberships,
            ARRAY(SELECT its.partner_id FROM developer its JOIN partner ON partner.id = its.partner_id
                   WHERE its.person_id = person.id AND partner.status = 'active' AND lacking.name IS NULL
                   ORDER BY its.partner_id LIMIT 200) AS partners
       FROM open JOIN person ON person.id = open.person_id CROSS JOIN lacking`,
    [tokenSha256, use?.network ?? null, use?.isByPerson ?? false],
  );
  return row ?? null;
}

/** Stores the workshop that /console redirects to. */
export async function setLastWorkshop(db: Queryable, personId: string, workshopId: string): Promise<void> {
  await db.query('UPDATE person SET last_workshop_id = $2 WHERE id = $1', [personId, workshopId]);
}

/** How a session began. */
export type SignedInBy = 'code' | 'code totp' | 'code recoveryCode' | 'passkey' | 'address';

export interface NewSession {
  readonly id: string;
  readonly tokenSha256: Buffer;
  readonly personId: string;
  /** /24 or /64. */
  readonly network: string;
  readonly browser: string;
  /** The workshop whose owner printed the code that it begins with. */
  readonly vouchedBy: string | null;
  readonly by: SignedInBy;
}

/** From now on the browser counts as known to the person. */
export async function insertSession(
  tx: Queryable,
  session: NewSession,
  browserSha256: Buffer,
): Promise<void> {
  const { id, tokenSha256, personId, network, browser, vouchedBy, by } = session;
  await tx.query(
    `WITH known AS (
       INSERT INTO known_browser (person_id, browser_sha256, signed_in_at) VALUES ($3, $8, clock_timestamp())
       ON CONFLICT (person_id, browser_sha256) DO UPDATE SET signed_in_at = excluded.signed_in_at)
     INSERT INTO session (id, token_sha256, person_id, signed_in_at, used_at, network, browser, vouched_by, signed_in_by, browser_sha256)
     VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp(), $4, $5, $6, $7, $8)`,
    [id, tokenSha256, personId, network, browser, vouchedBy, by, browserSha256],
  );
}

/** The person of a session, open or ended; null: it does not exist, or ended more than 30 days ago. */
export async function findAnySession(
  db: Queryable,
  tokenSha256: Buffer,
): Promise<{ sessionId: string; personId: string } | null> {
  const [row] = await db.query<{ sessionId: string; personId: string }>(
    'SELECT id AS session_id, person_id FROM session WHERE token_sha256 = $1',
    [tokenSha256],
  );
  return row ?? null;
}

/** False when the person has no such open session. */
export async function endSession(tx: Queryable, personId: string, sessionId: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE session SET ended_at = clock_timestamp() WHERE id = $2 AND person_id = $1 AND ${isOpen('session')} RETURNING true`,
    [personId, sessionId],
  );
  return rows.length > 0;
}

/** Replaces the session's token; false: it has ended, or was put aside at a desk, where no token works. */
export async function renewToken(tx: Queryable, sessionId: string, tokenSha256: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE session SET token_sha256 = $2 WHERE id = $1 AND put_aside_at IS NULL AND ${isOpen('session')} RETURNING true`,
    [sessionId, tokenSha256],
  );
  return rows.length > 0;
}

/** Ends all but this one, and half-open sign-ins. */
export async function endOtherSessions(
  tx: Queryable,
  personId: string,
  sessionId: string | null,
): Promise<void> {
  await tx.query(
    `WITH half AS (DELETE FROM half_sign_in WHERE person_id = $1)
     UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1 AND id IS DISTINCT FROM $2 AND ${isOpen('session')}`,
    [personId, sessionId],
  );
}

/** Resolves to how many were open. Also ends half-open sign-ins. */
export async function endAllSessions(tx: Queryable, personId: string): Promise<number> {
  const rows = await tx.query(
    `WITH half AS (DELETE FROM half_sign_in WHERE person_id = $1)
     UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1 AND ${isOpen('session')} RETURNING true`,
    [personId],
  );
  return rows.length;
}

/** Ends sessions and half-open sign-ins that began with a code printed by an owner, unless it was an owner of this workshop. */
export async function endVouched(tx: Queryable, personId: string, workshopId: string | null): Promise<void> {
  await tx.query(
    `WITH half AS (
       DELETE FROM half_sign_in WHERE person_id = $1 AND vouched_by IS DISTINCT FROM $2 AND vouched_by IS NOT NULL)
     UPDATE session SET ended_at = clock_timestamp()
      WHERE person_id = $1 AND vouched_by IS DISTINCT FROM $2 AND vouched_by IS NOT NULL AND ${isOpen('session')}`,
    [personId, workshopId],
  );
}

/** Ends the sessions of everybody. Resolves to how many were open. */
export async function endEverySession(tx: Queryable): Promise<number> {
  const rows = await tx.query(
    `UPDATE session SET ended_at = clock_timestamp() WHERE ${isOpen('session')} RETURNING true`,
  );
  return rows.length;
}
