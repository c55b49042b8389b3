/** A signed-in person requests another e-mail address: one code is sent to it, and one to the present address. */
import { randomBytes } from 'node:crypto';
import { InvalidInput } from '#base/operator-error.ts';
import type { PersonActor } from '#base/values/actor.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { mailCode, mailsCodes } from '../codes/ask.ts';
import { readEmail } from './change.ts';
import { deleteEmailChange, putEmailChange } from './store.ts';

const perHour = { policy: 'email-changes', quota: 5, windowSeconds: 3_600 };

/**
 * The work is the same whether or not somebody has the address. A pending change is dropped. Throws InvalidInput, also when no
 * codes are mailed, and 429 for a sixth request within the hour.
 */
export async function askForEmail(
  context: ChangeContext & Pick<Context, 'sealing' | 'config'>,
  { personId }: PersonActor,
  { present, typed }: { readonly present: string; readonly typed: string },
): Promise<void> {
  const { sealing, config } = context;
  const email = readEmail(typed);
  if (email === null) throw new InvalidInput([{ field: 'email', message: 'is not an e-mail address' }]);
  if (email === present) throw new InvalidInput([{ field: 'email', message: 'is your address already' }]);
  if (!mailsCodes(config))
    throw new InvalidInput([{ field: 'email', message: 'is changed by whoever runs this installation' }]);
  await change(context, async ({ tx }) => {
    await countAttempt(
      { db: tx },
      {
        limit: perHour,
        refusal: 'You have asked for too many changes: try again in an hour',
        source: ['email changes', personId],
      },
    );
    await deleteEmailChange(tx, personId, null);
    // The code can't be used to sign in, because no browser has this random id.
    const code = (to: string) =>
      mailCode(tx, sealing, { kind: 'emailChangeCode', email: to, browserSha256: randomBytes(32) });
    await putEmailChange(tx, {
      ...{ personId, email },
      ...{ presentCodeId: await code(present), newCodeId: await code(email) },
    });
  });
}
