/** The way of every notice: claim, send, record. Whatever happens is recorded on its row, and only by the newest attempt. */
import type { Context } from '#context.ts';
import { insist } from '#db/insist.ts';
import type { EmailOutcome } from '#gateways/email/gateway.ts';
import type { SmsOutcome } from '#gateways/sms/gateway.ts';
import { isLimit } from '#sending/limits/rules.ts';
import { newId } from '#values/id.ts';
import type { Sending } from '#work/flags.ts';
import { JobFailure, PermanentFailure, takenUp } from '#work/job.ts';
import { notAsked } from '#work/postponed.ts';
import { settleDoubt } from './doubt.ts';
import {
  type AttemptRecord,
  type Claim,
  type Claimed,
  type Doubt,
  type NoticeTable,
  recordAttempt,
  releaseAttempt,
} from './store.ts';

/** What one attempt came to, and what follows: nothing, another attempt, or a dead letter. */
export interface Result extends AttemptRecord {
  readonly next: 'done' | 'retry' | 'giveUp';
  /** Set where no gateway was asked, so that this was no attempt: when that may be worth it, in milliseconds. */
  readonly notBeforeMs?: number;
}

/** An attempt that is recorded as begun. */
export interface Begun {
  /** Our reference at the gateway. */
  readonly attemptId: string;
  /** Machine time, before it was recorded. */
  readonly begunAt: Date;
}

export interface NoticeKind<Notice> {
  readonly table: NoticeTable;
  claim(ctx: Context, claim: Claim): Promise<Claimed<Notice> | null>;
  send(ctx: Context, notice: Notice, begun: Begun): Promise<Result>;
}

/**
 * Delivers one notice. Throws JobFailure when it is to be tried again, and PermanentFailure when trying again is
 * pointless and somebody should know; Postponed when no gateway was asked.
 */
export async function deliverNotice<Notice extends Sending>(
  ctx: Context,
  kind: NoticeKind<Notice>,
  id: string,
): Promise<void> {
  const { db, sms, email, clock } = ctx;
  const attemptId = newId();
  const claim = { id, attemptId, smsGateway: sms.name, emailGateway: email.name, at: clock.now() };
  let begunAt = clock.machineNow();
  let claimed = await kind.claim(ctx, claim);
  let doubt: Doubt | null = null;
  if (claimed !== null && 'doubt' in claimed) {
    const asked = await settleDoubt(ctx, kind.table, id, claimed.doubt);
    if (asked === null) return;
    // One that certainly did not arrive is none any more.
    doubt = asked.repeatsUnknown ? claimed.doubt : null;
    begunAt = clock.machineNow();
    claimed = await kind.claim(ctx, { ...claim, asked, at: clock.now() });
  }
  if (claimed === null) return;
  if ('doubt' in claimed) throw takenUp();

  const notice = claimed.claimed;
  const result = await sendOrFail({ attemptId, begunAt });
  if (result.notBeforeMs !== undefined) {
    const back = { doubt, detail: result.detail ?? '', at: clock.now() };
    if (!(await releaseAttempt(db, kind.table, { id, attemptId }, back))) throw takenUp();
    throw notAsked({ retryAfterMs: result.notBeforeMs }, notice);
  }
  const record = () => recordAttempt(db, kind.table, { id, attemptId }, result, clock.now());
  // Whoever comes next would not know that the gateway has it, and might send it again.
  if (result.state === 'accepted') return void (await insist(record));
  const isOurs = await record();
  if (result.next === 'done') return;
  if (!isOurs) throw takenUp();
  const Failure = result.next === 'retry' ? JobFailure : PermanentFailure;
  throw new Failure(result.reason ?? result.state, result.detail ?? 'The notice was not sent.');

  /** Gateways never reject: what throws does so before anything is handed over, and leaves no doubt. */
  async function sendOrFail(begun: Begun): Promise<Result> {
    try {
      return await kind.send(ctx, notice, begun);
    } catch (error) {
      await recordAttempt(db, kind.table, { id, attemptId }, notMade, clock.now());
      throw error;
    }
  }
}

const notMade: AttemptRecord = {
  state: 'failed',
  reason: 'error',
  detail: 'It could not be made; nothing was handed over.',
  gatewayId: null,
};

/** `segments` of an SMS, as we count them. */
export function resultOf(outcome: SmsOutcome | EmailOutcome, segments: number | null = null): Result {
  const gateway = 'gateway' in outcome ? outcome.gateway : undefined;
  const told = { gateway: gateway ?? null, segments };
  if (outcome.state === 'accepted') {
    const { gatewayId } = outcome;
    const segmentIds = 'segmentIds' in outcome ? outcome.segmentIds : undefined;
    return { ...told, state: 'accepted', reason: null, detail: null, gatewayId, segmentIds, next: 'done' };
  }
  const failure = { ...told, detail: outcome.detail, gatewayId: null };
  if (outcome.state === 'unknown') {
    return { ...failure, state: 'unknown', reason: 'unknownOutcome', next: 'retry' };
  }
  const { reason, permanent, retryAfterMs = 0 } = outcome;
  // A limit of the operator's is rightly so: nobody has to look at it.
  const next = isLimit(reason) ? 'done' : permanent ? 'giveUp' : 'retry';
  const result = { ...failure, state: 'failed', reason, next } as const;
  return outcome.notAsked ? { ...result, notBeforeMs: retryAfterMs } : result;
}

/** Not sent, and rightly so: nobody has to look at it. */
export function settled(reason: string, detail: string): Result {
  return { state: 'failed', reason, detail, gatewayId: null, next: 'done' };
}
