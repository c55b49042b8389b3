/** SQL of queued e-mails to people about their sign-in, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
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
   * The person's address in their notation; null: nobody has the address. An e-mail about a change of address goes to the address
   * it was queued for.
   */
  readonly to: string | null;
  /** Null: no code, or the code has expired, was used, or was replaced. */
  readonly codeId: string | null;
  readonly codeSealed: string | null;
  readonly what: SignInChange | null;
  /** For an invitation: the workshop or partner; null: operators. */
  readonly placeName: string | null;
  readonly colour: string | null;
}

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
    `WITH due AS (SELECT id FROM account_email WHERE ${found} FOR NO KEY UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE account_email e SET tries = e.tries + 1, due_at = clock_timestamp() + make_interval(secs => $2)
         FROM due WHERE e.id = due.id RETURNING e.*)
     SELECT c.id, c.kind, c.what, c.tries,
            CASE WHEN c.kind IN ('emailChangeCode', 'emailChanged') THEN c.email ELSE person.email END AS to,
            code.id AS code_id, code.code_sealed,
            coalesce(workshop.name, partner.name) AS place_name, workshop.colour
       FROM claimed c
       LEFT JOIN person ON lower(person.email) = c.email
       LEFT JOIN sign_in_code code ON code.id = c.code_id AND code.expires_at > (SELECT clock_timestamp())
       LEFT JOIN workshop ON workshop.id = c.workshop_id
       LEFT JOIN partner ON partner.id = c.partner_id`,
    ['id' in which ? which.id : which.limit, leaseSeconds],
  );
}

/** Makes it due again later. */
export async function postponeAccountEmail(db: Queryable, id: string, inMs: number): Promise<void> {
  await db.query(
    `UPDATE account_email SET due_at = clock_timestamp() + $2::float8 * interval '1 millisecond' WHERE id = $1`,
    [id, inMs],
  );
}

/** Deletes an e-mail that was handed over or given up, and its sealed content. */
export async function deleteAccountEmail(db: Queryable, id: string): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM account_email WHERE id = $1 RETURNING code_id)
     UPDATE sign_in_code SET code_sealed = NULL FROM gone WHERE sign_in_code.id = gone.code_id`,
    [id],
  );
}
