/**
 * Staff mark that they have called a caller back, or undo it. The call does not change, nor do its version, `updatedAt` and feed.
 */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { oneLine } from '#base/values/one-line.ts';
import { normaliseString } from '#base/values/text.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type CallBack, type CallBackState, lockCallBack, writeCallBack } from './store.ts';

export interface MarkedCall {
  readonly state: CallBackState;
  /** The previous state; equal when nothing changed. */
  readonly before: CallBackState;
}

export interface MarkCall {
  readonly workshopId: string;
  readonly callId: string;
  readonly state: CallBackState;
  /** A note on the result, as typed: at most 255 characters. */
  readonly note?: string;
  /** The version of the call-back that the caller has seen; absent: any. */
  readonly seen?: number;
  readonly actor: Actor;
}

const noteAtMost = 255;

/**
 * A later call from the number waits again. Throws 404 100001 for a call that is not the workshop's, 412 000010 when it was marked
 * since, InvalidInput for a note that is too long, and OperatorError for an answered call.
 */
export async function markCall(
  context: ChangeContext,
  { workshopId, callId, state, note: typed = '', seen, actor }: MarkCall,
): Promise<MarkedCall> {
  const note = oneLine(normaliseString(typed));
  if (!isId(callId)) throw new Problem('100001');
  return change(context, async ({ tx, now: at }) => {
    const asked = { workshopId, callId, actor, at };
    const known = await lockCallBack(tx, { ...asked, actor: storedActor(actor) });
    if (known === null) throw new Problem('100001');
    if (seen !== undefined && seen !== known.version) throw new Problem('000010');
    if ([...note].length > noteAtMost)
      throw new InvalidInput([{ field: 'note', message: `must have at most ${noteAtMost} characters` }]);
    if (known.outcome === 'answered' && state === 'called')
      throw new OperatorError('somebody took this call: nobody waits');
    if (known.state !== state)
      await write(tx, asked, known, { state, note: state === 'called' && note !== '' ? note : null });
    return { state, before: known.state };
  });
}

/**
 * Marks the call in the transaction of a booking or a quote that was made from it. Changes nothing when the workshop has no such
 * call, it was answered, or it is marked already.
 */
export async function endCall(
  tx: Queryable,
  change: { readonly workshopId: string; readonly callId: string; readonly actor: Actor; readonly at: Date },
): Promise<void> {
  if (!isId(change.callId)) return;
  const known = await lockCallBack(tx, { ...change, actor: storedActor(change.actor) });
  if (known === null || known.outcome === 'answered' || known.state === 'called') return;
  await write(tx, change, known, { state: 'called', note: null });
}

async function write(
  tx: Queryable,
  { workshopId, callId, actor, at }: Parameters<typeof endCall>[1],
  known: CallBack,
  next: Omit<CallBack, 'version'>,
): Promise<void> {
  const version = known.version + 1;
  await writeCallBack(tx, { callId, ...next, version, actor: storedActor(actor), at });
  const fields = (of: Omit<CallBack, 'version'>) => ({ calledBack: of.state === 'called', note: of.note });
  await recordEntry(tx, {
    ...{ actor, workshopId, subject: { kind: 'callLead', id: callId }, at },
    action: next.state === 'called' ? 'callLead.calledBack' : 'callLead.waitsAgain',
    ...{ before: fields(known), after: fields(next) },
  });
}
