/** SQL of shared desks: the open sessions of one browser, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { isOpen } from '../sessions/store.ts';

/** The most people with a session on one browser. */
export const peopleAtMost = 8;
/** This many wrong PINs in a row end a session. */
export const pinTriesAtMost = 5;

/** A person who can resume their session with a PIN. */
export interface AtDesk {
  readonly sessionId: string;
  readonly personId: string;
  readonly name: string;
  readonly signedInAt: Date;
}

/** By name, without people who have no PIN. */
export async function listDesk(db: Queryable, browserSha256: Buffer): Promise<AtDesk[]> {
  return db.query<AtDesk>(
    `SELECT session.id AS session_id, person.id AS person_id, person.name, session.signed_in_at
       FROM session JOIN person ON person.id = session.person_id JOIN person_pin pin ON pin.person_id = person.id
      WHERE session.browser_sha256 = $1 AND session.pin_tries < ${pinTriesAtMost} AND ${isOpen('session')}
      ORDER BY person.name, session.id LIMIT ${peopleAtMost}`,
    [browserSha256],
  );
}

/** Locks the browser until the transaction ends, so that its sign-ins and switches are serialised. */
export async function lockDesk(tx: Queryable, browserSha256: Buffer): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1::bigint)', [String(browserSha256.readBigInt64BE())]);
}

export interface Left {
  readonly sessionId: string;
  readonly personId: string;
  /** Put aside until the person enters their PIN; otherwise it has ended. */
  readonly isPutAside: boolean;
}

/**
 * Makes room at a desk for this session of this person. Every other session in use is put aside, so that its token stops working,
 * if its person has a PIN; otherwise it ends. Other sessions of the same person end too.
 */
export async function leaveDesk(
  tx: Queryable,
  of: { readonly browserSha256: Buffer; readonly sessionId: string; readonly personId: string },
): Promise<Left[]> {
  return tx.query<Left>(
    `WITH there AS MATERIALIZED (
       SELECT id, ${isOpen('session')} AS is_open,
              person_id <> $3 AND ${isOpen('session')}
                AND EXISTS (SELECT FROM person_pin pin WHERE pin.person_id = session.person_id) AS stays
         FROM session
        WHERE browser_sha256 = $1 AND id <> $2 AND ended_at IS NULL AND (put_aside_at IS NULL OR person_id = $3))
     UPDATE session
        SET put_aside_at = CASE WHEN stays THEN clock_timestamp() ELSE put_aside_at END,
            token_sha256 = CASE WHEN stays THEN sha256(uuid_send(gen_random_uuid())) ELSE token_sha256 END,
            ended_at = CASE WHEN stays THEN NULL WHEN is_open THEN clock_timestamp()
                            ELSE least(used_at + interval '30 days', signed_in_at + interval '90 days') END
       FROM there WHERE session.id = there.id
     RETURNING session.id AS session_id, session.person_id, stays AS is_put_aside`,
    [of.browserSha256, of.sessionId, of.personId],
  );
}

/** The number of open sessions of a browser. */
export async function countDesk(tx: Queryable, browserSha256: Buffer): Promise<number> {
  const rows = await tx.query(`SELECT FROM session WHERE browser_sha256 = $1 AND ${isOpen('session')}`, [
    browserSha256,
  ]);
  return rows.length;
}

export interface TriedPin {
  readonly personId: string;
  /** Including this one. */
  readonly tries: number;
  /** As `sealPin` returns it. */
  readonly sealed: string;
  /** The workshop whose owner may know the PIN. */
  readonly vouchedBy: string | null;
}

interface OfDesk {
  readonly sessionId: string;
  readonly browserSha256: Buffer;
}

/** Whether this session, of a person with a PIN, is open on this browser. */
export async function isAtDesk(db: Queryable, { sessionId, browserSha256 }: OfDesk): Promise<boolean> {
  const people = await listDesk(db, browserSha256);
  return people.some((each) => each.sessionId === sessionId);
}

/**
 * Counts a try before the PIN is checked. Null: no such session of a person with a PIN is open on this browser, or its tries are
 * used up.
 */
export async function takePinTry(
  db: Queryable,
  { sessionId, browserSha256 }: OfDesk,
): Promise<TriedPin | null> {
  const [row] = await db.query<TriedPin>(
    `UPDATE session SET pin_tries = pin_tries + 1 FROM person_pin pin
      WHERE session.id = $1 AND browser_sha256 = $2 AND pin.person_id = session.person_id AND pin_tries < ${pinTriesAtMost}
        AND ${isOpen('session')}
     RETURNING session.person_id, pin_tries AS tries, pin.sealed, pin.vouched_by`,
    [sessionId, browserSha256],
  );
  return row ?? null;
}

/** Ends a session whose tries are used up. True if it did. */
export async function endGuessed(tx: Queryable, sessionId: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE session SET ended_at = clock_timestamp()
      WHERE id = $1 AND pin_tries >= ${pinTriesAtMost} AND ${isOpen('session')} RETURNING true`,
    [sessionId],
  );
  return rows.length > 0;
}

/**
 * Resumes a session after a right PIN, with a new token. A session without a voucher gets that of the PIN. The desk must be free.
 * False: the session has ended since.
 */
export async function resumeSession(
  tx: Queryable,
  { sessionId, browserSha256 }: OfDesk,
  { tokenSha256, vouchedBy }: { readonly tokenSha256: Buffer; readonly vouchedBy: string | null },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE session SET token_sha256 = $3, put_aside_at = NULL, pin_tries = 0, switched_at = clock_timestamp(), used_at = clock_timestamp(),
                        vouched_by = coalesce(vouched_by, $4)
      WHERE id = $1 AND browser_sha256 = $2 AND ${isOpen('session')} RETURNING true`,
    [sessionId, browserSha256, tokenSha256, vouchedBy],
  );
  return rows.length > 0;
}

/** Ends all sessions of the browser. Returns the ids of the people whose sessions were open. */
export async function endDesk(tx: Queryable, browserSha256: Buffer): Promise<string[]> {
  const rows = await tx.query<{ personId: string }>(
    `UPDATE session SET ended_at = clock_timestamp() WHERE browser_sha256 = $1 AND ${isOpen('session')} RETURNING person_id`,
    [browserSha256],
  );
  return rows.map(({ personId }) => personId);
}
