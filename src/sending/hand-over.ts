/** The hand-over of an SMS to its gateway, of every kind; here stand the rules on whether it may go. */
import type { Context } from '#context.ts';
import type { OutboundSms, SmsOutcome } from '#gateways/sms/gateway.ts';
import { sendSms, tooLate } from '#gateways/sms/send.ts';

/** Whose SMS it is. */
export interface SmsAccount {
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  readonly workshopId: string;
}

/** Why an SMS is not handed over, by the first rule that says so; null when it may go. */
function refusal(
  { clock }: Context,
  _sms: OutboundSms,
  _account: SmsAccount,
  begunAt: Date,
): SmsOutcome | null {
  return tooLate(begunAt, clock.machineNow());
}

/** `begunAt` is machine time, before the attempt's row was written. Never rejects. */
export async function handOver(
  ctx: Context,
  sms: OutboundSms,
  account: SmsAccount,
  begunAt: Date,
): Promise<SmsOutcome> {
  return refusal(ctx, sms, account, begunAt) ?? sendSms(ctx.sms, sms);
}
