/** Signs a person in: with a code, or with the address that the demo prints. */
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { isCode } from '../codes/hash.ts';
import { takeTries, useCode } from '../codes/store.ts';
import { hasFactor } from '../factors/store.ts';
import { findIdByEmail } from '../store.ts';
import { useSignInAddress } from './address/store.ts';
import { beginSession, type NewSignIn, recordFailure, type Visitor } from './begin.ts';
import { putHalfSignIn } from './half-open/store.ts';

/** A session; `secondFactor`: the code was right, and this browser must now give the second factor; null: the code was wrong. */
export type SignInByCode = NewSignIn | 'secondFactor' | null;

/**
 * Null: the code is wrong, was used, has expired, or had its five tries. A try counts for each code that may match. Throws DeskFull
 * when eight other people are at the browser; the code stays valid.
 */
export async function signInByCode(
  context: ChangeContext & Pick<Context, 'sealing'>,
  { email, code }: { readonly email: string; readonly code: string },
  visitor: Visitor,
): Promise<SignInByCode> {
  const { db, clock, sealing } = context;
  const { browserSha256 } = visitor;
  const tried = await takeTries(db, email, browserSha256);
  const right = tried.find(({ id, codeHmac }) => isCode(sealing, id, code, codeHmac));
  if (right === undefined) {
    // One failure for each try; the same for an address that nobody has.
    const failed = async () => ({ personId: await findIdByEmail(db, email), by: 'code' }) as const;
    if (tried.length > 0) await recordFailure(db, await failed(), visitor, clock.now());
    return null;
  }
  return change(context, async ({ tx, now }) => {
    const used = await useCode(tx, right.id);
    if (used === null) return null;
    if (!(await hasFactor(tx, used.personId))) return beginSession(tx, { ...used, by: 'code' }, visitor, now);
    await putHalfSignIn(tx, { browserSha256, ...used });
    return 'secondFactor';
  });
}

/** Null: the address was used, has expired, or does not exist. It needs no second factor: only the demo has it. */
export function signInByAddress(
  context: ChangeContext,
  tokenSha256: Buffer,
  visitor: Visitor,
): Promise<NewSignIn | null> {
  return change(context, async ({ tx, now }) => {
    const personId = await useSignInAddress(tx, tokenSha256);
    if (personId === null) return null;
    return beginSession(tx, { personId, vouchedBy: null, by: 'address' }, visitor, now);
  });
}
