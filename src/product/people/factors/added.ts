/** The consequences of an added second factor. */

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

/** The person who changes their sign-in, and the session. */
export type Holder = Pick<SignedIn, 'personId' | 'email' | 'sessionId' | 'vouchedBy'>;

export interface AddedFactor {
  /** The session's new token, for its cookie. */
  readonly token: string;
  /** Ten new codes, if none were left; null: the earlier ones stay valid. */
  readonly recoveryCodes: readonly string[] | null;
}

interface Addition {
  readonly actor: Actor;
  readonly holder: Holder;
  /** Whether the person had a factor before. */
  readonly hadFactor: boolean;
  readonly what: SignInChange;
  readonly passkeyId?: string;
  readonly at: Date;
}

/**
 * The first factor ends all other sessions, since they began without it. This session gets a new token. Every person with a factor
 * has recovery codes, so that a broken phone locks nobody out.
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
  // The trail records that codes were shown; no separate e-mail is sent, since there is one about the factor.
  await recordEntry(tx, ofPerson(personId, change.actor, 'recoveryCodesMade', change.at));
  return { token, recoveryCodes: await makeRecoveryCodes(tx, personId) };
}
