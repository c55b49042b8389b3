/** The hand-over of an SMS to its gateway, of every kind; here stand the rules on whether it may go. */
import type { Context } from '#context.ts';
import type { OutboundSms, SmsOutcome } from '#gateways/sms/gateway.ts';
import { sendSms, tooLate } from '#gateways/sms/send.ts';

/** Why an SMS is not handed over, by the first rule that says so; null when it may go. */
async function refusal({ clock }: Context, _sms: OutboundSms, begunAt: Date): Promise<SmsOutcome | null> {
  return tooLate(begunAt, clock.machineNow());
}

/** `begunAt` is machine time, before the attempt's row was written. Never rejects. */
export async function handOver(ctx: Context, sms: OutboundSms, begunAt: Date): Promise<SmsOutcome> {
  return (await refusal(ctx, sms, begunAt)) ?? sendSms(ctx.sms, sms);
}
