/** Switches the person at a shared desk: a person resumes their session there with a PIN. */
import { actors } from '#base/values/actor.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { NewSignIn } from '../sessions/begin.ts';
import { findKeptForm } from '../sessions/kept-forms/store.ts';
import { hashSessionToken, newSessionToken } from '../sessions/token.ts';
import { ofPerson } from '../trail.ts';
import { isPin, sealPin } from './pin/hash.ts';
import { resealPin } from './pin/store.ts';
import {
  endGuessed,
  isAtDesk,
  leaveDesk,
  lockDesk,
  pinTriesAtMost,
  resumeSession,
  type TriedPin,
  takePinTry,
} from './store.ts';

type Needed = Pick<Context, 'db' | 'clock' | 'sealing'>;

export interface Switch {
  /** The session to resume. */
  readonly sessionId: string;
  readonly pin: string;
  readonly browserSha256: Buffer;
  readonly requestId: string;
}

export type Switched =
  | ({ readonly state: 'in' } & NewSignIn)
  | { readonly state: 'wrong'; readonly triesLeft: number }
  /** There is no such session on this browser, it has ended, or its person has no PIN. */
  | { readonly state: 'gone' };

const switchesPerMinute = 60;

/**
 * A try counts before the PIN is checked, so at most five are checked over all processes; the fifth wrong one in a row ends the
 * session. The session gets a new token each time, and the present person is put aside or signed out. Throws 429 for more than 60
 * tries a minute from one browser.
 */
export async function switchPerson(context: Needed, wanted: Switch): Promise<Switched> {
  const { db, sealing } = context;
  // Tries for unknown sessions are not counted: strangers could fill the table.
  if (!(await isAtDesk(db, wanted))) return { state: 'gone' };
  await countSwitch(context, wanted);
  const tried = await takePinTry(db, wanted);
  if (tried === null) return { state: 'gone' };
  if (!(await isPin(sealing, tried.personId, wanted.pin, tried.sealed)))
    return refuse(context, wanted, tried);
  if (!sealing.isCurrent(tried.sealed)) await renew(context, tried, wanted.pin);
  return comeBack(context, wanted, tried);
}

const countSwitch = ({ db }: Needed, { browserSha256 }: Switch): Promise<void> =>
  countAttempt(
    { db },
    {
      limit: { policy: 'desk-switches', quota: switchesPerMinute, windowSeconds: 60 },
      refusal: 'That was too much at once',
      source: ['desk switches', browserSha256.toString('hex')],
    },
  );

async function refuse(
  context: ChangeContext,
  { sessionId, requestId }: Switch,
  { personId, tries }: { readonly personId: string; readonly tries: number },
): Promise<Switched> {
  const actor = actors.visitor(requestId);
  const isOver = await change(context, async ({ tx, now }) => {
    await recordEntry(tx, ofPerson(personId, actor, 'pinFailed', now));
    const ended = await endGuessed(tx, sessionId);
    if (ended) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', now));
    return ended || tries >= pinTriesAtMost;
  });
  return isOver ? { state: 'gone' } : { state: 'wrong', triesLeft: pinTriesAtMost - tries };
}

async function comeBack(
  context: ChangeContext,
  wanted: Switch,
  { personId, vouchedBy }: TriedPin,
): Promise<Switched> {
  const { browserSha256, sessionId, requestId } = wanted;
  return change(context, async ({ tx, now }): Promise<Switched> => {
    const token = newSessionToken();
    const tokenSha256 = hashSessionToken(token);
    if (tokenSha256 === null) throw new Error('a token of our own');
    await lockDesk(tx, browserSha256);
    await leaveDesk(tx, { browserSha256, sessionId, personId });
    if (!(await resumeSession(tx, wanted, { tokenSha256, vouchedBy }))) throw new Gone();
    await recordEntry(tx, ofPerson(personId, actors.person(personId, requestId), 'switched', now));
    const hasKeptForm = (await findKeptForm(tx, sessionId)) !== null;
    return { state: 'in', personId, token, hasKeptForm };
  }).catch((error: unknown): Switched => {
    if (error instanceof Gone) return { state: 'gone' };
    throw error;
  });
}

/** The session ended while its PIN was checked: the present person stays. */
class Gone extends Error {}

/** Seals the PIN again that a former key had sealed, since that key may be dropped some day. */
async function renew(
  { db, sealing }: Needed,
  { personId, sealed }: { readonly personId: string; readonly sealed: string },
  pin: string,
): Promise<void> {
  await resealPin(db, personId, sealed, await sealPin(sealing, personId, pin));
}
