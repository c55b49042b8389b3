/** Counts delivery reports among the outcomes of their gateway, for the metrics of this process. */
import type { Context } from '#platform/context.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { memberNamed } from '#platform/gateways/sms/members.ts';

/** As they come: of a segment too, and a repeat once more. */
export function countReport(
  { sms }: Pick<Context, 'sms'>,
  gateway: string,
  { state }: Pick<DeliveryReport, 'state'>,
): void {
  if (state === 'accepted') return;
  const { limiter } = memberNamed(sms, gateway) ?? {};
  limiter?.report({ outcome: state, reason: '', ms: null });
}
