/** Finds one record for staff. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { byIdOrCode } from '../own.ts';
import type { RecordType } from '../record.ts';
import { findRecord } from '../store.ts';

/** By its id, or by its code in any notation. Throws OperatorError when there is none. */
export async function requireRecord<StaffItem>(
  db: Queryable,
  record: RecordType<unknown, StaffItem>,
  idOrCode: string,
): Promise<StaffItem> {
  const name = byIdOrCode(record, idOrCode);
  const found = name && (await findRecord(db, record, name));
  if (found === null) {
    const { noun } = record;
    throw new OperatorError(`there is no ${noun} ${idOrCode} (pitlane ${noun} list shows them)`);
  }
  return found;
}
