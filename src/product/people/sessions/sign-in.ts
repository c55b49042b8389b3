/** Signs somebody in: by a code, or by the address that the demo prints. The session has a new id each time. */
import type { Clock } from '#base/clock.ts';
import type { Sealing } from '#base/sealing.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { coarseNetworkOf } from '#base/values/network.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { isCode } from '../codes/hash.ts';
import { takeTries, useCode } from '../codes/store.ts';
import type { Left } from '../desk/store.ts';
import { takeDesk } from '../desk/take.ts';
import { findIdByEmail } from '../store.ts';
import { ofPerson } from '../trail.ts';
import { useSignInAddress } from './address/store.ts';
import { browserOf } from './browser.ts';
import { moveKeptForm } from './kept-forms/store.ts';
import { endSession, findAnySession, insertSession } from './store.ts';
import { hashSessionToken, newSessionToken } from './token.ts';

interface Needed {
  readonly db: Database;
  readonly clock: Clock;
}

export interface Visitor {
  readonly requestId: string;
  /** IP address. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** What this browser is known by. */
  readonly browserSha256: Buffer;
  /** The hash of the session's token that the browser had until now, whether it has ended or not. */
  readonly formerSha256: Buffer | null;
}

export interface NewSignIn {
  readonly personId: string;
  /** Goes into the cookie; stored as a hash. */
  readonly token: string;
  /** A form that was sent after the session before had ended waits for its person. */
  readonly hasKeptForm: boolean;
}

/**
 * Null: the code is wrong, was used, has run out, or had its five tries. A try counts for each code that may be meant. Throws DeskFull where
 * eight others are at the browser; the code holds on.
 */
export async function signInByCode(
  { db, clock, sealing }: Needed & { readonly sealing: Sealing },
  { email, code }: { readonly email: string; readonly code: string },
  visitor: Visitor,
): Promise<NewSignIn | null> {
  const tried = await takeTries(db, email, visitor.browserSha256);
  const right = tried.find(({ id, codeHmac }) => isCode(sealing, id, code, codeHmac));
  if (right === undefined) {
    if (tried.length > 0) await recordFailure({ db, clock }, email, visitor);
    return null;
  }
  return db.transaction(async (tx) => {
    const used = await useCode(tx, right.id);
    return used && begin(tx, used, visitor, clock.now());
  });
}

/** Null: the address was used, has run out, or never was one. */
export function signInByAddress(
  { db, clock }: Needed,
  tokenSha256: Buffer,
  visitor: Visitor,
): Promise<NewSignIn | null> {
  return db.transaction(async (tx) => {
    const personId = await useSignInAddress(tx, tokenSha256);
    return personId === null ? null : begin(tx, { personId, vouchedBy: null }, visitor, clock.now());
  });
}

/** One for each try that a code has, so that strangers can't fill the trail; alike for an address that nobody has. */
async function recordFailure({ db, clock }: Needed, email: string, { requestId }: Visitor): Promise<void> {
  const personId = await findIdByEmail(db, email);
  await recordEntry(db, ofPerson(personId, actors.visitor(requestId), 'signInFailed', clock.now()));
}

async function begin(
  tx: Queryable,
  { personId, vouchedBy }: { readonly personId: string; readonly vouchedBy: string | null },
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
  await insertSession(tx, { id, tokenSha256, personId, network, browser, vouchedBy }, browserSha256);
  await recordEntry(tx, ofPerson(personId, actors.person(personId, visitor.requestId), 'signedIn', at));
  const hasKeptForm = await takeKeptForm(tx, visitor.formerSha256, left, { sessionId: id, personId });
  return { personId, token, hasKeptForm };
}

/** What was typed before goes on with its person. What somebody else had typed waits for them where they are put aside, and else is dropped. */
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
