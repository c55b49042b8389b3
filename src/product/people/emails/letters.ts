/** E-mails to people about their account that were given up: what the operator sees and does. */
import { OperatorError } from '#base/operator-error.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { addDeadLetter } from '#platform/work/dead-letters/store.ts';
import type { Job } from '#platform/work/failed/alone.ts';
import { type DueAccountEmail, keepAccountEmail, requeueAccountEmail } from './store.ts';

export const accountEmailJob: Job = { job: 'sendAccountEmail', subject: 'accountEmailId' };

/** Keeps the e-mail, which is tried no more, and writes a dead letter, in one commit. `detail` names no address. */
export async function giveUpAccountEmail(
  context: ChangeContext,
  { id, tries }: Pick<DueAccountEmail, 'id' | 'tries'>,
  { reason, detail }: { readonly reason: string; readonly detail: string | null },
): Promise<void> {
  await change(context, async ({ tx, now }) => {
    // The person was removed meanwhile.
    if (!(await keepAccountEmail(tx, id))) return;
    await addDeadLetter(tx, {
      job: accountEmailJob.job,
      payload: { [accountEmailJob.subject]: id },
      ...{ reason, detail, attempts: tries, at: now },
    });
  });
}

/** Queues it again, for another day. Throws OperatorError when it is no longer stored. */
export async function retryAccountEmail(tx: Queryable, id: string): Promise<void> {
  if (!(await requeueAccountEmail(tx, id)))
    throw new OperatorError('this e-mail is no longer stored: discard the letter');
}
