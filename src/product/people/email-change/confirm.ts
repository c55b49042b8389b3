/** The person confirms a change of e-mail address with both codes. */
import { InvalidInput } from '#base/operator-error.ts';
import type { PersonActor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { isCode } from '../codes/hash.ts';
import { changeWithin, EmailTaken } from './change.ts';
import { deleteEmailChange, takeEmailTry, triesAtMost } from './store.ts';

export interface BothCodes {
  readonly presentCode: string;
  readonly newCode: string;
  /** The person's session, which stays open. */
  readonly sessionId: string;
}

const over = () =>
  new InvalidInput([{ field: 'newCode', message: 'is of no change that waits: ask for it once more' }]);

/**
 * Throws InvalidInput for wrong codes (five tries) and for an expired change; EmailTaken when another person has the address, which
 * only somebody who reads both codes can learn.
 */
export async function confirmEmail(
  context: ChangeContext & Pick<Context, 'sealing'>,
  actor: PersonActor,
  { presentCode, newCode, sessionId }: BothCodes,
): Promise<void> {
  const { db, sealing } = context;
  const { personId } = actor;
  const tried = await takeEmailTry(db, personId);
  if (tried === null) throw over();
  const isPresent = isCode(sealing, tried.presentCodeId, presentCode, tried.presentHmac);
  const isNew = isCode(sealing, tried.newCodeId, newCode, tried.newHmac);
  // The refusal does not say which code is wrong, so both must be guessed together.
  if (!isPresent || !isNew) throw wrong(triesAtMost - tried.tries);
  const { email, newCodeId } = tried;
  try {
    await change(context, async ({ tx, now }) => {
      if (!(await deleteEmailChange(tx, personId, newCodeId))) throw over();
      await changeWithin(tx, actor, { personId, email, sessionId }, now);
    });
  } catch (error) {
    if (error instanceof EmailTaken) await deleteEmailChange(db, personId, newCodeId);
    throw error;
  }
}

const wrong = (left: number) =>
  new InvalidInput([
    {
      field: 'newCode',
      message: `or the other is not right: ${left === 0 ? 'ask for the change once more' : left === 1 ? 'one try is left' : `${left} tries are left`}`,
    },
  ]);
