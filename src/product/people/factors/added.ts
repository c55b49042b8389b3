/** What follows when somebody gets a further second factor. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { SignInChange } from '../emails/store.ts';
import { endOtherSessions, renewToken, type SignedIn } from '../sessions/store.ts';
import { hashSessionToken, newSessionToken } from '../sessions/token.ts';
import { ofPerson } from '../trail.ts';
import { noteChange } from './note.ts';
import { makeRecoveryCodes } from './recovery-codes/codes.ts';
import { countCodes } from './recovery-codes/store.ts';

/** Who changes how they sign in, in which session. */
export type Holder = Pick<SignedIn, 'personId' | 'email' | 'sessionId' | 'vouchedBy'>;

export interface AddedFactor {
  /** The session's new token, for its cookie. */
  readonly token: string;
  /** Ten new ones, where none were left; null: those from before hold on. */
  readonly recoveryCodes: readonly string[] | null;
}

interface Addition {
  readonly actor: Actor;
  readonly holder: Holder;
  /** Whether there was one before. */
  readonly hadFactor: boolean;
  readonly what: SignInChange;
  readonly passkeyId?: string;
  readonly at: Date;
}

/**
 * The first one ends all other sessions: they began without it. The session itself gets a new token. Whoever loses a factor has recovery
 * codes, whichever it was, so that nobody is locked out by the first phone that breaks.
 */
export async function afterAdding(
  tx: Queryable,
  { holder, hadFactor, ...change }: Addition,
): Promise<AddedFactor> {
  const { personId, email, sessionId } = holder;
  const token = newSessionToken();
  const tokenSha256 = hashSessionToken(token);
  if (tokenSha256 === null) throw new Error('a token of our own');
  if (!(await renewToken(tx, sessionId, tokenSha256)))
    throw new OperatorError('this session has ended meanwhile: sign in again');
  if (!hadFactor) await endOtherSessions(tx, personId, sessionId);
  await noteChange(tx, { ...change, personId, email });
  if ((await countCodes(tx, personId)) > 0) return { token, recoveryCodes: null };
  // What is shown is in the trail; the mail about the factor is enough.
  await recordEntry(tx, ofPerson(personId, change.actor, 'recoveryCodesMade', change.at));
  return { token, recoveryCodes: await makeRecoveryCodes(tx, personId) };
}
