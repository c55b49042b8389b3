/** Finds one record for staff. */

import { found } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { byIdOrCode } from '../partner-records.ts';
import type { RecordType } from '../record.ts';
import { findRecord } from '../store.ts';

/** By its id, or by its code in any notation. Throws OperatorError when there is none. */
export async function requireRecord<StaffItem>(
  db: Queryable,
  record: RecordType<unknown, StaffItem>,
  idOrCode: string,
): Promise<StaffItem> {
  const name = byIdOrCode(record, idOrCode);
  return found(record.noun, idOrCode, name && (await findRecord(db, record, name)));
}
