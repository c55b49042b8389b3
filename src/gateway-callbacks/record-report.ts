/** Records the delivery reports that gateways bring. */
import type { Database } from '#db/database.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';
import { reportSegment } from '#sending/report/segments/store.ts';
import { reportAttempt } from '#sending/report/store.ts';
import { isId } from '#values/id.ts';
import { redactedGatewayText } from '#values/redacted-gateway-text.ts';

/** Where the gateway says no more than that it failed. */
const words: Readonly<Record<DeliveryReport['state'], string | null>> = {
  delivered: null,
  undelivered: 'The carrier could not deliver it, and does not say why.',
  expired: 'The carrier could not deliver it in the time that it tries.',
};

/**
 * Records what became of an SMS or of one of its segments, in any order and however often it comes. A report about what
 * is not, or no longer, ours changes nothing. `now` is business time.
 */
export async function recordReport(
  db: Database,
  gateway: string,
  report: DeliveryReport,
  now: Date,
): Promise<void> {
  const { reference, segment, state } = report;
  if (reference !== null && !isId(reference)) return;
  const detail = state === 'delivered' ? null : redactedGatewayText(report.detail ?? '') || words[state];
  if (segment === undefined) {
    if (reference !== null) await reportAttempt(db, { reference, gateway, whole: { state, detail } }, now);
    return;
  }
  // Committed before what the segments come to is read: of several that report at once, the last one sees them all.
  const its = await reportSegment(db, { gateway, reference, segment, state, detail });
  if (its !== null) await reportAttempt(db, { reference: its, gateway, whole: null }, now);
}
