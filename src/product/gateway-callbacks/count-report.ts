/** Counts delivery reports with the outcomes of their gateway, in the metrics of this process. */
import type { Context } from '#platform/context.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { memberNamed } from '#platform/gateways/sms/members.ts';

/** Counts every report, including those of segments, and repeats. */
export function countReport(
  { sms }: Pick<Context, 'sms'>,
  gateway: string,
  { state }: Pick<DeliveryReport, 'state'>,
): void {
  if (state === 'accepted') return;
  const { limiter } = memberNamed(sms, gateway) ?? {};
  limiter?.report({ outcome: state, reason: '', ms: null });
}
