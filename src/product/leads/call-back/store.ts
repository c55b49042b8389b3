/** SQL of call-backs: whether staff have called a caller back. It is the workshop's own: no partner reads it, and the call stays as it is. */
import type { Queryable } from '#platform/db/database.ts';
import type { CallLead } from '../schema.ts';

export const callBackStates = ['waiting', 'called'] as const;
export type CallBackState = (typeof callBackStates)[number];

/** Conditions on a row of `call_lead`, over all partners of its workshop. Each call of a number stands for those before it. */
export const isLastOfCaller = (call: string): string => `NOT EXISTS (
      SELECT FROM call_lead later WHERE later.caller_phone = ${call}.caller_phone AND later.workshop_id = ${call}.workshop_id
        AND (later.called_at, later.id) > (${call}.called_at, ${call}.id))`;
export const isCalledBack = (call: string): string =>
  `EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = ${call}.id AND call_back.state = 'called')`;

/** What became of a call that nobody took. */
export const untaken = ['missed', 'voicemail'] as const satisfies readonly CallLead['outcome'][];

/** Of a call that nobody took: nobody has called back, and the number has not called since. One whose caller was erased waits for nobody. */
export const waitsForCallBack = (call: string): string =>
  `${call}.caller_phone <> '' AND ${isLastOfCaller(call)} AND NOT ${isCalledBack(call)}`;

export interface CallBack {
  readonly state: CallBackState;
  /** Of the call-back, not of the call; 0: nothing was said of it yet. */
  readonly version: number;
  readonly note: string | null;
}

/** As it is stored: `actor` as `storedActor` has it, `at` in business time. */
export interface CallBackRow extends CallBack {
  readonly callId: string;
  readonly actor: string;
  readonly at: Date;
}

export interface LockedCall extends CallBack {
  readonly outcome: string;
}

/**
 * The call-back of a workshop's call, held until the transaction ends, so that each change knows the one before it; null: the workshop
 * has no such call. The call itself is neither changed nor held from those who change it. One that somebody took has none.
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

/** Writes a call-back that is held. */
export async function writeCallBack(tx: Queryable, row: CallBackRow): Promise<void> {
  await tx.query(
    `UPDATE call_back SET state = $2, version = $3, note = $4, actor = $5, at = $6 WHERE call_lead_id = $1`,
    [row.callId, row.state, row.version, row.note, row.actor, row.at],
  );
}

/** Of calls whose caller is erased: the words may name them. That somebody called back, and who, stays. */
export async function eraseNotes(tx: Queryable, callIds: readonly string[]): Promise<void> {
  await tx.query(
    'UPDATE call_back SET note = NULL WHERE call_lead_id = ANY ($1::uuid[]) AND note IS NOT NULL',
    [callIds],
  );
}
