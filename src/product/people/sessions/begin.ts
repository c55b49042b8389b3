/** Begins the session of an authenticated person, always with a new id; and records failed sign-ins. */
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { coarseNetworkOf } from '#base/values/network.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Left } from '../desk/store.ts';
import { takeDesk } from '../desk/take.ts';
import { ofPerson } from '../trail.ts';
import { browserOf } from './browser.ts';
import { endHalfSignIn } from './half-open/store.ts';
import { moveKeptForm } from './kept-forms/store.ts';
import { endSession, findAnySession, insertSession, type SignedInBy } from './store.ts';
import { hashSessionToken, newSessionToken } from './token.ts';

export interface Visitor {
  readonly requestId: string;
  /** IP address. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** The hash of the browser's id. */
  readonly browserSha256: Buffer;
  /** The token hash of the browser's previous session, open or ended. */
  readonly formerSha256: Buffer | null;
}

export interface NewSignIn {
  readonly personId: string;
  /** For the cookie; stored as a hash. */
  readonly token: string;
  /** A form that was sent after the previous session had ended is kept for its person. */
  readonly hasKeptForm: boolean;
}

export interface ProvenSignIn {
  readonly personId: string;
  /** The workshop whose owner printed the code, or vouched when the factor was created. */
  readonly vouchedBy: string | null;
  readonly by: SignedInBy;
}

/** Throws DeskFull when eight other people are at the browser. */
export async function beginSession(
  tx: Queryable,
  { personId, vouchedBy, by }: ProvenSignIn,
  visitor: Visitor,
  at: Date,
): Promise<NewSignIn> {
  const id = newId();
  const token = newSessionToken();
  const tokenSha256 = hashSessionToken(token);
  if (tokenSha256 === null) throw new Error('a token of our own');
  const network = coarseNetworkOf(visitor.address);
  const browser = browserOf(visitor.userAgent);
  const { browserSha256 } = visitor;
  const left = await takeDesk(tx, { browserSha256, sessionId: id, personId });
  await insertSession(tx, { id, tokenSha256, personId, network, browser, vouchedBy, by }, browserSha256);
  // Ends a half-open sign-in in this browser, which may be of another person.
  await endHalfSignIn(tx, browserSha256);
  const actor = actors.person(personId, visitor.requestId);
  await recordEntry(tx, { ...ofPerson(personId, actor, 'signedIn', at), after: { by } });
  const hasKeptForm = await takeKeptForm(tx, visitor.formerSha256, left, { sessionId: id, personId });
  return { personId, token, hasKeptForm };
}

/**
 * A kept form moves to the same person's next session. A form of another person waits if that person is put aside, and is dropped
 * otherwise.
 */
async function takeKeptForm(
  tx: Queryable,
  formerSha256: Buffer | null,
  left: readonly Left[],
  own: { readonly sessionId: string; readonly personId: string },
): Promise<boolean> {
  const former = formerSha256 && (await findAnySession(tx, formerSha256));
  if (former !== null) await endSession(tx, former.personId, former.sessionId);
  const ended = left.filter(({ isPutAside }) => !isPutAside);
  for (const each of [...(former === null ? [] : [former]), ...ended])
    if (await moveKeptForm(tx, each, own)) return true;
  return false;
}

export interface Failed {
  /** Null: nobody has the typed address, or the passkey. */
  readonly personId: string | null;
  readonly by: 'code' | 'totp' | 'recoveryCode' | 'passkey';
}

/** The number of tries is limited, so that strangers can't fill the trail. */
export async function recordFailure(
  db: Queryable,
  { personId, by }: Failed,
  { requestId }: Visitor,
  at: Date,
): Promise<void> {
  const entry = ofPerson(personId, actors.visitor(requestId), 'signInFailed', at);
  await recordEntry(db, { ...entry, after: { by } });
}
