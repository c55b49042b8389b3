/** Hands a delivery report to whom it concerns. */
import type { Queryable } from '#db/database.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';
import { reportAttempt } from '#messaging/attempts/store.ts';
import { recordDeliveryReport } from '#notifications/store.ts';
import { isId } from '#values/id.ts';

/** A report about what is not, or no longer, ours changes nothing. `now` is business time. */
export async function recordReport(
  db: Queryable,
  _gateway: string,
  report: DeliveryReport,
  now: Date,
): Promise<void> {
  const { reference } = report;
  if (reference === null || !isId(reference)) return;
  // PostgreSQL stores no NUL.
  const known = { ...report, reference, detail: report.detail?.replaceAll('\0', '') ?? null };
  const isMessage = await reportAttempt(db, { ...known, now });
  if (!isMessage) await recordDeliveryReport(db, known, now);
}
