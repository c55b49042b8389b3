/**
 * SQL of call-backs: whether staff have called a caller back. They belong to the workshop: no partner can read them, and the call
 * does not change.
 */
import type { Queryable } from '#platform/db/database.ts';
import type { CallLead } from '../schema.ts';

export const callBackStates = ['waiting', 'called'] as const;
export type CallBackState = (typeof callBackStates)[number];

/**
 * Conditions on a row of `call_lead`, over all partners of its workshop. The latest call of a number stands for the earlier ones.
 */
export const isLastOfCaller = (call: string): string => `NOT EXISTS (
      SELECT FROM call_lead later WHERE later.caller_phone = ${call}.caller_phone AND later.workshop_id = ${call}.workshop_id
        AND (later.called_at, later.id) > (${call}.called_at, ${call}.id))`;
export const isCalledBack = (call: string): string =>
  `EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = ${call}.id AND call_back.state = 'called')`;

/** The outcomes of unanswered calls. */
export const untaken = ['missed', 'voicemail'] as const satisfies readonly CallLead['outcome'][];

/**
 * A condition for an unanswered call: nobody has called back, and the number has not called since. A call of an erased caller never
 * waits.
 */
export const waitsForCallBack = (call: string): string =>
  `${call}.caller_phone <> '' AND ${isLastOfCaller(call)} AND NOT ${isCalledBack(call)}`;

export interface CallBack {
  readonly state: CallBackState;
  /** The version of the call-back, not of the call; 0: it was never marked. */
  readonly version: number;
  readonly note: string | null;
}

/** The stored form: `actor` as `storedActor` returns it, `at` in business time. */
export interface CallBackRow extends CallBack {
  readonly callId: string;
  readonly actor: string;
  readonly at: Date;
}

export interface LockedCall extends CallBack {
  readonly outcome: string;
}

/**
 * Locks the call-back of a workshop's call until the transaction ends, and returns it, so that each change sees the previous one;
 * null: the workshop has no such call. The call itself is neither changed nor locked. An answered call has no call-back.
 */
export async function lockCallBack(
  tx: Queryable,
  {
    workshopId,
    callId,
    actor,
    at,
  }: Pick<CallBackRow, 'callId' | 'actor' | 'at'> & { readonly workshopId: string },
): Promise<LockedCall | null> {
  const [row] = await tx.query<LockedCall>(
    `WITH its AS (SELECT id, outcome FROM call_lead WHERE id = $1 AND workshop_id = $2),
     held AS (
       INSERT INTO call_back (call_lead_id, state, version, actor, at)
       SELECT id, 'waiting', 0, $3, $4 FROM its WHERE outcome <> 'answered'
       ON CONFLICT (call_lead_id) DO UPDATE SET state = call_back.state RETURNING state, version, note)
     SELECT its.outcome, coalesce(held.state, 'waiting') AS state, coalesce(held.version, 0) AS version, held.note
       FROM its LEFT JOIN held ON true`,
    [callId, workshopId, actor, at],
  );
  return row ?? null;
}

/** Writes a locked call-back. */
export async function writeCallBack(tx: Queryable, row: CallBackRow): Promise<void> {
  await tx.query(
    `UPDATE call_back SET state = $2, version = $3, note = $4, actor = $5, at = $6 WHERE call_lead_id = $1`,
    [row.callId, row.state, row.version, row.note, row.actor, row.at],
  );
}

/** Erases the notes on calls of an erased caller, since they may name them. Who called back, and when, stays. */
export async function eraseNotes(tx: Queryable, callIds: readonly string[]): Promise<void> {
  await tx.query(
    'UPDATE call_back SET note = NULL WHERE call_lead_id = ANY ($1::uuid[]) AND note IS NOT NULL',
    [callIds],
  );
}
