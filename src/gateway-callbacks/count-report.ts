/** Counts delivery reports among the outcomes of their gateway, for the metrics of this process. */
import type { Context } from '#context.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';

/** As they come: of a segment too, and a repeat once more. */
export function countReport(
  { sms }: Pick<Context, 'sms'>,
  gateway: string,
  { state }: Pick<DeliveryReport, 'state'>,
): void {
  if (state === 'accepted') return;
  const { limiter } = (sms.members ?? [sms]).find(({ name }) => name === gateway) ?? {};
  limiter?.report({ outcome: state, reason: '', ms: null });
}
