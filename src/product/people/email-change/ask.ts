/** Somebody who is signed in wants another e-mail address: a code goes to it, and one to the address as it is. */
import { randomBytes } from 'node:crypto';
import { InvalidInput } from '#base/operator-error.ts';
import type { PersonActor } from '#base/values/actor.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { mailCode, mailsCodes } from '../codes/ask.ts';
import { readEmail } from './change.ts';
import { deleteEmailChange, putEmailChange } from './store.ts';

const perHour = { policy: 'email-changes', quota: 5, windowSeconds: 3_600 };

/**
 * The same is done for every address, whether somebody has it or not. A change that waits ends. Throws InvalidInput, also where no codes are
 * mailed, and 429 for a sixth within the hour.
 */
export async function askForEmail(
  { db, sealing, config }: Pick<Context, 'config' | 'db' | 'sealing'>,
  { personId }: PersonActor,
  { present, typed }: { readonly present: string; readonly typed: string },
  alongside?: Alongside<string>,
): Promise<void> {
  const email = readEmail(typed);
  if (email === null) throw new InvalidInput([{ field: 'email', message: 'is not an e-mail address' }]);
  if (email === present) throw new InvalidInput([{ field: 'email', message: 'is your address already' }]);
  if (!mailsCodes(config))
    throw new InvalidInput([{ field: 'email', message: 'is changed by whoever runs this installation' }]);
  await db.transaction(async (tx) => {
    await countAttempt(
      { db: tx },
      {
        limit: perHour,
        refusal: 'You have asked for too many changes: try again in an hour',
        source: ['email changes', personId],
      },
    );
    await deleteEmailChange(tx, personId, null);
    // Such a code signs nobody in: no browser is known by this name.
    const code = (to: string) =>
      mailCode(tx, sealing, { kind: 'emailChangeCode', email: to, browserSha256: randomBytes(32) });
    await putEmailChange(tx, {
      ...{ personId, email },
      ...{ presentCodeId: await code(present), newCodeId: await code(email) },
    });
    await alongside?.(tx, personId);
  });
}
