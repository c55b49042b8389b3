/** Records the delivery reports of gateways. */
import type { Database } from '#db/database.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';
import { recordGatewayOptOut } from '#sending/gateway-opt-out/record.ts';
import { detailOf } from '#sending/report/detail.ts';
import { acceptOriginal } from '#sending/report/duplicate.ts';
import { reportSegment } from '#sending/report/segments/store.ts';
import { reportAttempt } from '#sending/report/store.ts';
import { isId } from '#values/id.ts';

/**
 * Records a delivery report of an SMS or of one of its segments, in any order and any number of times. One that is not final
 * makes an unknown outcome accepted; one of an opt-out opts the customer out here too; one of a duplicate makes the attempt that
 * it repeats accepted. A report about an SMS that we do not have, or no longer have, changes nothing. `now` is business time.
 */
export async function recordReport(
  db: Database,
  gateway: string,
  report: DeliveryReport,
  now: Date,
): Promise<void> {
  const { reference, segment, state } = report;
  if (reference !== null && !isId(reference)) return;
  // First, both: when it fails, the gateway brings the report again.
  if (report.optedOut && reference !== null) await recordGatewayOptOut(db, reference, gateway, now);
  if (report.duplicate && reference !== null) await acceptOriginal(db, reference, gateway, now);
  const detail = detailOf(report);
  // An acceptance is one of the whole SMS.
  if (segment === undefined || state === 'accepted') {
    if (reference !== null) await reportAttempt(db, { reference, gateway, whole: { state, detail } }, now);
    return;
  }
  // Committed before the segments are read together: of several concurrent reports, the last one sees them all.
  const its = await reportSegment(db, { gateway, reference, segment, state, detail });
  if (its !== null) await reportAttempt(db, { reference: its, gateway, whole: null }, now);
}
