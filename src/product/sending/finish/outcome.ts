/** The result of a claimed entry, as it is recorded: the state of the attempt, and the next step. */

import type { Actor } from '#base/values/actor.ts';
import { actorValues } from '#platform/events/record.ts';
import type { EmailOutcome, EmailReason } from '#platform/gateways/email/gateway.ts';
import type { FinalReport } from '#platform/gateways/sms/callbacks.ts';
import type { SmsOutcome, SmsReason } from '#platform/gateways/sms/gateway.ts';
import { detailOf } from '../report/detail.ts';
import { segmentKeys } from '../report/segments/store.ts';

export type OutcomeState = 'accepted' | 'failed' | 'unknown' | 'superseded' | FinalReport;

/** `done`: nothing more to do; `retry`: make another attempt; `reconcile`: look this attempt up at the gateway. */
export type Next = 'done' | 'retry' | 'reconcile';

export interface Finish {
  readonly messageId: string;
  /** Null: there was no attempt, and only the message gets the state. */
  readonly attemptId: string | null;
  /** Null: there is no new outcome. An attempt that is still `sending` becomes `unknown`, and the message keeps its state. */
  readonly state: OutcomeState | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly gatewayId: string | null;
  /** Which gateway of a route took it; null: keep the recorded one. */
  readonly gateway: string | null;
  /** The gateway's ids of the segments, for gateways that report on each segment. */
  readonly segments: readonly string[];
  readonly next: Next;
  /** In how many milliseconds the next step is due. */
  readonly inMs: number;
  /** The gateway was not called: the attempt is deleted. */
  readonly withdrawn: boolean;
  /** This does not count as an attempt. */
  readonly unspent: boolean;
  /** The next attempt may deliver the message a second time. */
  readonly repeatsUnknown: boolean;
  /** The message is given up, with a dead letter. */
  readonly givenUp: boolean;
  /** Business time. */
  readonly now: Date;
  /** The actor of the hand-over or of the report, encoded by `actorValues`. */
  readonly actor: string;
  readonly requestId: string | null;
}

const nothing = {
  reason: null,
  detail: null,
  gatewayId: null,
  gateway: null,
  segments: [],
  next: 'done',
  inMs: 0,
  withdrawn: false,
  unspent: false,
  repeatsUnknown: false,
  givenUp: false,
} as const;

type Given = Pick<Finish, 'messageId' | 'attemptId' | 'state' | 'now'> &
  Partial<Omit<Finish, 'actor' | 'requestId'>>;

/** `actor`: who handed it over, or who reported the outcome. */
export function finishOf({ actor, ...given }: Given & { readonly actor: Actor }): Finish {
  return { ...nothing, ...given, ...actorValues(actor) };
}

interface Words<Reason> extends Pick<Finish, 'detail' | 'gatewayId' | 'gateway' | 'segments'> {
  readonly state: 'accepted' | 'failed' | 'unknown' | FinalReport;
  readonly reason: Reason | null;
}

const accepted = { state: 'accepted', detail: null } as const;

/** The text to store for a gateway's outcome. */
export function recordOf(outcome: SmsOutcome): Words<SmsReason>;
export function recordOf(outcome: EmailOutcome): Words<EmailReason>;
export function recordOf(outcome: SmsOutcome | EmailOutcome): Words<SmsReason | EmailReason> {
  const gateway = ('gateway' in outcome ? outcome.gateway : undefined) ?? null;
  const failed = { gateway, gatewayId: null, segments: [] };
  switch (outcome.state) {
    case 'accepted': {
      const segments = segmentKeys('segmentIds' in outcome ? outcome.segmentIds : undefined);
      const report = ('final' in outcome ? outcome.final : undefined) ?? accepted;
      const { state } = report;
      return {
        state,
        reason: null,
        detail: detailOf(report),
        gatewayId: outcome.gatewayId,
        gateway,
        segments,
      };
    }
    case 'refused':
      return { ...failed, state: 'failed', reason: outcome.reason, detail: outcome.detail };
    case 'unknown':
      return { ...failed, state: 'unknown', reason: 'unknownOutcome', detail: outcome.detail };
  }
}
