/** SQL of queued e-mails to people about their sign-in, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';

export type AccountEmailKind =
  | 'signInCode'
  | 'invitation'
  | 'signInChange'
  | 'emailChangeCode'
  | 'emailChanged';

/** The change of sign-in that the e-mail reports. */
export type SignInChange =
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'totpSet'
  | 'totpRemoved'
  | 'recoveryCodesMade'
  | 'recoveryCodeUsed'
  | 'factorsReset';

export interface NewAccountEmail {
  readonly id: string;
  readonly kind: AccountEmailKind;
  readonly email: string;
  /** For an e-mail with a code. */
  readonly codeId: string | null;
  /** For an invitation to a workshop. */
  readonly workshopId: string | null;
  /** For an invitation to a partner's console. */
  readonly partnerId: string | null;
  /** For an e-mail about a change of sign-in. */
  readonly what?: SignInChange;
}

/** Due at once. */
export async function insertAccountEmail(tx: Queryable, email: NewAccountEmail): Promise<void> {
  await tx.query(
    `INSERT INTO account_email (id, kind, email, code_id, workshop_id, partner_id, what, due_at)
     VALUES ($1, $2, lower($3), $4, $5, $6, $7, clock_timestamp())`,
    [email.id, email.kind, email.email, email.codeId, email.workshopId, email.partnerId, email.what ?? null],
  );
}

export interface DueAccountEmail {
  readonly id: string;
  readonly kind: AccountEmailKind;
  /** Including this one. */
  readonly tries: number;
  /**
   * The address that it was queued for, in the notation of the person who has it unless it is about a change of address. Null: a code
   * to sign in, and nobody has the address.
   */
  readonly to: string | null;
  /** It was queued a day ago, or longer. */
  readonly isLate: boolean;
  /** Null: no code, or the code has expired, was used, or was replaced. */
  readonly codeId: string | null;
  readonly codeSealed: string | null;
  readonly what: SignInChange | null;
  /** For an invitation: the workshop or partner; null: operators. */
  readonly placeName: string | null;
  /** For an invitation to a workshop. */
  readonly slug: string | null;
  readonly colour: string | null;
}

/** How long an e-mail that is no code is tried. */
const triedHours = 24;
/** How long one that was given up is kept for the operator. */
const keptDays = 30;

/** One e-mail, due or not; or up to `limit` that are due and have not failed in this job. */
export type WhichAccountEmails = { readonly id: string } | { readonly limit: number; readonly job: string };

/** Claims waiting e-mails with a lease each; rows that another process has locked are skipped. */
export async function claimAccountEmails(
  db: Queryable,
  which: WhichAccountEmails,
  leaseSeconds: number,
): Promise<DueAccountEmail[]> {
  const found =
    'id' in which
      ? 'id = $1'
      : `due_at <= (SELECT clock_timestamp()) AND ${notFailed(which.job, 'account_email.id')} ORDER BY due_at LIMIT $1`;
  return db.query<DueAccountEmail>(
    planOnce(`WITH due AS (SELECT id FROM account_email WHERE ${found} FOR NO KEY UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE account_email e SET tries = e.tries + 1, due_at = clock_timestamp() + make_interval(secs => $2)
         FROM due WHERE e.id = due.id RETURNING e.*)
     SELECT c.id, c.kind, c.what, c.tries,
            CASE WHEN c.kind IN ('emailChangeCode', 'emailChanged') THEN c.email
                 WHEN c.kind = 'signInCode' THEN person.email ELSE coalesce(person.email, c.email) END AS to,
            c.queued_at <= clock_timestamp() - interval '${triedHours} hours' AS is_late,
            code.id AS code_id, code.code_sealed,
            coalesce(workshop.name, partner.name) AS place_name, workshop.slug, workshop.colour
       FROM claimed c
       LEFT JOIN person ON lower(person.email) = c.email
       LEFT JOIN sign_in_code code ON code.id = c.code_id AND code.expires_at > (SELECT clock_timestamp())
       LEFT JOIN workshop ON workshop.id = c.workshop_id
       LEFT JOIN partner ON partner.id = c.partner_id`),
    ['id' in which ? which.id : which.limit, leaseSeconds],
  );
}

/** Makes it due again later; `unspent`: the mail server was not called, and this was no try. */
export async function postponeAccountEmail(
  db: Queryable,
  id: string,
  inMs: number,
  unspent = false,
): Promise<void> {
  await db.query(
    `UPDATE account_email SET due_at = clock_timestamp() + $2::float8 * interval '1 millisecond', tries = tries - $3::int WHERE id = $1`,
    [id, inMs, unspent ? 1 : 0],
  );
}

/** Has it wait for the operator. False when it is no longer stored. */
export async function keepAccountEmail(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.query(`UPDATE account_email SET due_at = 'infinity' WHERE id = $1 RETURNING true`, [
    id,
  ]);
  return rows.length > 0;
}

const afresh = 'due_at = clock_timestamp(), queued_at = clock_timestamp(), tries = 0';

/** Makes it due now, as if it had just been queued. False when it is no longer stored. */
export async function requeueAccountEmail(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.query(`UPDATE account_email SET ${afresh} WHERE id = $1 RETURNING true`, [id]);
  return rows.length > 0;
}

/** Deletes the dead letters of the e-mails in the CTE `emails`. */
export const dropLetters = (emails: string) =>
  `DELETE FROM dead_letter USING ${emails}
    WHERE job = 'sendAccountEmail' AND payload = jsonb_build_object('accountEmailId', ${emails}.id)`;

/**
 * Invitations that wait, or were given up, go to the person's new address: with the previous one nobody signs in any more. What reports
 * a change goes to the address that it was queued for.
 */
export async function moveInvitations(tx: Queryable, from: string, to: string): Promise<void> {
  await tx.query(
    `WITH moved AS (
       UPDATE account_email SET email = lower($2), ${afresh} WHERE email = lower($1) AND kind = 'invitation' RETURNING id)
     ${dropLetters('moved')}`,
    [from, to],
  );
}

/** Deletes what was given up a month ago, with its letter. */
export async function purgeAccountEmails(db: Queryable): Promise<void> {
  await db.query(
    `WITH gone AS (
       DELETE FROM account_email WHERE due_at = 'infinity'
          AND queued_at < (SELECT clock_timestamp() - interval '${keptDays} days') RETURNING id)
     ${dropLetters('gone')}`,
  );
}

/** Deletes an e-mail that was handed over, is of no use any more or was discarded, and its sealed content. */
export async function deleteAccountEmail(db: Queryable, id: string): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM account_email WHERE id = $1 RETURNING code_id)
     UPDATE sign_in_code SET code_sealed = NULL FROM gone WHERE sign_in_code.id = gone.code_id`,
    [id],
  );
}
