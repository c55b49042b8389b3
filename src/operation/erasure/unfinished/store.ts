/** SQL of an erasure: work that is not finished, or has failed. */
import type { Queryable } from '#platform/db/database.ts';

/** As carriers write phones (E.164): with the plus or without. */
const sendersOf = (phones: readonly string[]) => phones.flatMap((phone) => [phone, phone.replace('+', '')]);

/** Deletes the parts of long SMS from these phones (E.164). */
export async function deleteParts(tx: Queryable, phones: readonly string[]): Promise<void> {
  await tx.query(`DELETE FROM long_sms WHERE sender = ANY($1::text[])`, [sendersOf(phones)]);
}

export interface FailedWorkOf {
  readonly customerIds: readonly string[];
  readonly messageIds: readonly string[];
  /** E.164. */
  readonly phones: readonly string[];
}

/** The ids of the person's automation runs, pictures and long SMS at which a job has failed: a dead letter may quote them. */
export async function findFailedWork(
  tx: Queryable,
  { customerIds, messageIds, phones }: FailedWorkOf,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT subject_id AS id FROM failed_work f
      WHERE EXISTS (SELECT FROM automation_run WHERE id = f.subject_id AND customer_id = ANY($1::uuid[]))
         OR EXISTS (SELECT FROM message_attachment WHERE id = f.subject_id AND message_id = ANY($2::uuid[]))
         OR EXISTS (SELECT FROM long_sms WHERE id = f.subject_id AND sender = ANY($3::text[]))`,
    [customerIds, messageIds, sendersOf(phones)],
  );
  return rows.map(({ id }) => id);
}

/** Details of dead letters may hold numbers and addresses, as gateways name them in their responses. */
export async function eraseDeadLetters(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE dead_letter SET detail = NULL
     WHERE jsonb_path_exists(payload, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', $1::text[]))`,
    [ids],
  );
}
