/** Records the delivery reports of gateways. */

import { isId } from '#base/values/id.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import type { Database } from '#platform/db/database.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { recordGatewayOptOut } from '#product/sending/gateway-opt-out/record.ts';
import { detailOf } from '#product/sending/report/detail.ts';
import { acceptOriginal } from '#product/sending/report/duplicate.ts';
import {
  attemptWith,
  knownIds,
  reportSegment,
  type SegmentReport,
} from '#product/sending/report/segments/store.ts';
import { reportAttempt } from '#product/sending/report/store.ts';

/**
 * Records a delivery report of an SMS or of one of its segments, in any order and any number of times. A report that is not final
 * makes an unknown outcome accepted; one with an opt-out opts the customer out here too; one of a duplicate makes the attempt that
 * it repeats accepted. A report about an unknown or deleted SMS changes nothing.
 */
export async function recordReport(
  context: ChangeContext,
  gateway: string,
  report: DeliveryReport,
): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const { reference, segment, state } = report;
  if (reference !== null && !isId(reference)) return;
  // Both come first: if they fail, the gateway repeats the report.
  if (report.optedOut && reference !== null) await recordGatewayOptOut(context, reference, gateway);
  if (report.duplicate && reference !== null) await acceptOriginal(db, reference, gateway, now);
  const detail = detailOf(report);
  // An acceptance applies to the whole SMS.
  if (segment === undefined || state === 'accepted') {
    if (reference !== null) await reportAttempt(db, { reference, gateway, whole: { state, detail } }, now);
    return;
  }
  // Committed before the segments are read together, so that the last of several concurrent reports sees all of them.
  const { handedOver } = report;
  const its = await recordSegment(db, { gateway, reference, segment, state, detail }, handedOver);
  if (its !== null) await reportAttempt(db, { reference: its, gateway, whole: null }, now);
}

/** Stores the state of a segment under its known id, and returns the attempt; null while the attempt is unknown. */
async function recordSegment(
  db: Database,
  reported: SegmentReport,
  handedOver: DeliveryReport['handedOver'],
): Promise<string | null> {
  const { gateway, segment } = reported;
  const { id, otherId } = segment;
  const ids = otherId === undefined ? [id] : [id, otherId];
  const known = ids.length === 1 ? ids : await knownIds(db, gateway, ids, handedOver?.userReference ?? null);
  const withId = (its: string) => ({ ...reported, segment: { ...segment, id: its } });
  const [likely] = known;
  const its = likely === undefined ? null : await reportSegment(db, withId(likely));
  if (its !== null && its !== 'shared' && its.attemptId !== null) return its.attemptId;
  const attemptId = handedOver === undefined ? null : await attemptWith(db, gateway, handedOver);
  if (attemptId !== null) {
    // An id that several messages have is stored as if the gateway had named the attempt.
    await reportSegment(db, {
      ...reported,
      ...(its === 'shared' ? { reference: attemptId } : { attemptId }),
    });
    return attemptId;
  }
  // The acceptance has not been recorded yet, and will find the state by either id.
  const found = await Promise.all(
    (likely === undefined ? ids : []).map((id) => reportSegment(db, withId(id))),
  );
  return (
    found.flatMap((one) => (one === 'shared' ? [] : [one.attemptId])).find((one) => one !== null) ?? null
  );
}
