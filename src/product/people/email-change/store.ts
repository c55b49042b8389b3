/** SQL of changes of an e-mail address, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { minutesValid } from '../codes/store.ts';

export const triesAtMost = 5;

export interface NewEmailChange {
  readonly personId: string;
  /** The new address as typed. */
  readonly email: string;
  /** The code sent to the present address. */
  readonly presentCodeId: string;
  /** The code sent to the new address. */
  readonly newCodeId: string;
}

/** Replaces a pending change. */
export async function putEmailChange(tx: Queryable, change: NewEmailChange): Promise<void> {
  await tx.query(
    `INSERT INTO email_change AS change (person_id, email, present_code_id, new_code_id, expires_at)
     VALUES ($1, $2, $3, $4, clock_timestamp() + interval '${minutesValid} minutes')
     ON CONFLICT (person_id) DO UPDATE SET email = excluded.email, present_code_id = excluded.present_code_id,
       new_code_id = excluded.new_code_id, expires_at = excluded.expires_at, tries = 0`,
    [change.personId, change.email, change.presentCodeId, change.newCodeId],
  );
}

/** The new address of a pending change; null: there is none. */
export async function findNewEmail(db: Queryable, personId: string): Promise<string | null> {
  const [row] = await db.query<{ email: string }>(
    `SELECT email FROM email_change WHERE person_id = $1 AND tries < ${triesAtMost} AND expires_at > (SELECT clock_timestamp())`,
    [personId],
  );
  return row?.email ?? null;
}

export interface TriedEmailChange extends Omit<NewEmailChange, 'personId'> {
  /** Including this one. */
  readonly tries: number;
  readonly presentHmac: Buffer;
  readonly newHmac: Buffer;
}

/** Counts a try before the codes are checked; null: there is no pending change, or its tries are used up. */
export async function takeEmailTry(db: Queryable, personId: string): Promise<TriedEmailChange | null> {
  const [row] = await db.query<TriedEmailChange>(
    `WITH tried AS (
       UPDATE email_change SET tries = tries + 1
        WHERE person_id = $1 AND tries < ${triesAtMost} AND expires_at > (SELECT clock_timestamp()) RETURNING *)
     SELECT tried.email, tried.present_code_id, tried.new_code_id, tried.tries,
            present.code_hmac AS present_hmac, fresh.code_hmac AS new_hmac
       FROM tried JOIN sign_in_code present ON present.id = tried.present_code_id
       JOIN sign_in_code fresh ON fresh.id = tried.new_code_id`,
    [personId],
  );
  return row ?? null;
}

/** Deletes the pending change with its codes; with `newCodeId` only if it has this code. True if there was one. */
export async function deleteEmailChange(
  tx: Queryable,
  personId: string,
  newCodeId: string | null,
): Promise<boolean> {
  const rows = await tx.query(
    `WITH gone AS (
       DELETE FROM email_change WHERE person_id = $1 AND ($2::uuid IS NULL OR new_code_id = $2) RETURNING present_code_id, new_code_id),
     codes AS (DELETE FROM sign_in_code USING gone WHERE sign_in_code.id IN (gone.present_code_id, gone.new_code_id))
     SELECT true FROM gone`,
    [personId, newCodeId],
  );
  return rows.length > 0;
}

/** Throws a violation of `person_email` for an address that another person has. */
export async function updateEmail(tx: Queryable, personId: string, email: string, at: Date): Promise<void> {
  await tx.query('UPDATE person SET email = $2, version = version + 1, updated_at = $3 WHERE id = $1', [
    personId,
    email,
    at,
  ]);
}
