/** Completes a half-open sign-in: with a code of the authenticator app, or with a recovery code. */
import { actors } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { limitFailures } from '#platform/attempts/limit.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { noteChange } from '../factors/note.ts';
import { hashRecoveryCode } from '../factors/recovery-codes/codes.ts';
import { useCode } from '../factors/recovery-codes/store.ts';
import { stepOf } from '../factors/totp/code.ts';
import { findTotp, useStep } from '../factors/totp/store.ts';
import { lockPerson } from '../store.ts';
import { beginSession, type NewSignIn, recordFailure, type Visitor } from './begin.ts';
import { findHalfSignIn, type HalfSignIn, takeHalfSignIn } from './half-open/store.ts';

/** Null: the sign-in has expired, or was completed. */
export type Finished = NewSignIn | 'wrong' | null;

/** Throws 429 after five wrong codes of the person within 15 minutes, over all processes. Each step of 30 seconds works once. */
export function finishByTotp(
  context: ChangeContext & Pick<Context, 'sealing'>,
  code: string,
  visitor: Visitor,
): Promise<Finished> {
  const { db, clock, sealing } = context;
  return finish(context, 'totp', visitor, async ({ personId, vouchedBy }) => {
    const totp = await findTotp(db, personId);
    const seed = totp && sealing.open('totpSeed', totp.seedSealed, personId);
    const step = seed && (await stepOf(seed, code, clock.machineNow()));
    if (!totp || !step) return null;
    return {
      vouchedBy: vouchedBy ?? totp.vouchedBy,
      use: (tx) => useStep(tx, { personId, seedSealed: totp.seedSealed, step }),
    };
  });
}

/** Throws 429 in the same way. Each code works once, and its use is notified by e-mail. */
export function finishByRecoveryCode(
  context: ChangeContext,
  code: string,
  visitor: Visitor,
): Promise<Finished> {
  return finish(context, 'recoveryCode', visitor, async ({ personId, email, vouchedBy }) => {
    const hash = hashRecoveryCode(personId, code);
    if (hash === null) return null;
    const actor = actors.person(personId, visitor.requestId);
    return {
      vouchedBy,
      async use(tx, at) {
        if (!(await useCode(tx, personId, hash))) return false;
        await noteChange(tx, { actor, personId, email, what: 'recoveryCodeUsed', at });
        return true;
      },
    };
  });
}

/** Checks the typed code: null when it is wrong. `use` uses it up; false: it was used already. */
type Check = (
  half: HalfSignIn,
) => Promise<{ readonly vouchedBy: string | null; use(tx: Queryable, at: Date): Promise<boolean> } | null>;

class Wrong extends Problem {
  constructor() {
    super('000002', { message: 'The code is not right' });
  }
}

async function finish(
  context: ChangeContext,
  by: 'totp' | 'recoveryCode',
  visitor: Visitor,
  check: Check,
): Promise<Finished> {
  const { db, clock } = context;
  const half = await findHalfSignIn(db, visitor.browserSha256);
  if (half === null) return null;
  const { personId } = half;
  const bound = {
    limit: { policy: 'second-factors', quota: 5, windowSeconds: 900 },
    ...{ refusal: 'Too many wrong codes', source: ['second factor', by, personId] },
    failure: 404,
  } as const;
  try {
    return await limitFailures({ db }, bound, async () => {
      const right = await check(half);
      if (right === null) throw new Wrong();
      return change(context, async ({ tx, now }) => {
        // Locks the person like every sign-in, so that an end of sessions, of this person or of the vouching owner, runs before or
        // after.
        await lockPerson(tx, personId);
        if (!(await takeHalfSignIn(tx, visitor.browserSha256, personId))) return null;
        if (!(await right.use(tx, now))) throw new Wrong();
        const { vouchedBy } = right;
        return beginSession(tx, { personId, vouchedBy, by: `code ${by}` }, visitor, now);
      });
    });
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    await recordFailure(db, { personId, by }, visitor, clock.now());
    return 'wrong';
  }
}
