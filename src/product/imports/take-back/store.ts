/** SQL that takes the records of an import back: locks them, says why they stay, deletes them, and sets values back. */
import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import { carMark, type StoredCar } from '#product/customers/imported/cars/store.ts';
import type { StoredCustomer } from '#product/customers/imported/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import type { Change, ChangedKind } from './changes.ts';
import type { ImportRun } from './run/store.ts';

/** Why a record stays. */
export type Stays = 'message' | 'booking' | 'quote' | 'optedOut' | 'used' | 'imported' | 'changed';

const lockTexts: Readonly<Record<ChangedKind, string>> = {
  booking: planByIndex(
    'SELECT FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY id FOR UPDATE',
  ),
  car: planByIndex('SELECT FROM car WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY id FOR UPDATE'),
  // As a batch of bookings locks them.
  customer: planByIndex(
    'SELECT FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY phone, id FOR UPDATE',
  ),
};

/**
 * Locks the rows until the transaction ends. What refers to them, such as a message, is not written meanwhile, so that a statement after
 * this one sees all of it.
 */
export async function lockRecords(
  tx: Queryable,
  workshopId: string,
  kind: ChangedKind,
  ids: readonly string[],
): Promise<void> {
  await tx.query(lockTexts[kind], [workshopId, ids]);
}

const has = (table: string, where: string) => `EXISTS (SELECT FROM ${table} WHERE ${where})`;
const isUsed = (...conditions: readonly string[]) => conditions.join('\n          OR ');

/** Another file that was imported since, and can be taken back itself, names it too: `$3` is this import. */
const isOfAnother = (kind: ChangedKind) =>
  has(
    `import_run other JOIN import_change c ON c.import_id = other.id AND c.kind = '${kind}' AND c.record_id = r.id`,
    `other.workshop_id = $1 AND other.id <> $3 AND other.state = 'written'
       AND other.changed_at > (SELECT clock_timestamp() - interval '2 hours')`,
  );

/** The first that holds, of each kind of record `r`, where `m.mark` is as the import left it. */
const reasons: Readonly<Record<ChangedKind, readonly (readonly [Stays, string])[]>> = {
  booking: [
    // The row of a customer who was merged since is the kept one's.
    [
      'message',
      isUsed(
        ...['message', 'scheduled_text'].map((table) =>
          has(table, `${table}.customer_id = ANY (${idsOf('r.customer_id')}) AND ${table}.booking_id = r.id`),
        ),
      ),
    ],
    ['quote', has('quote', 'quote.booking_id = r.id')],
    // Marked as of somebody who did not come, by the import itself.
    [
      'used',
      has('attendance', `attendance.booking_id = r.id AND attendance.actor <> '${actors.schedule.kind}'`),
    ],
    ['changed', 'r.version::text <> m.mark'],
  ],
  car: [
    ['booking', has('booking', 'booking.car_id = r.id')],
    ['quote', has('quote', 'quote.car_id = r.id')],
    [
      'used',
      has(
        'service_reminder',
        'service_reminder.customer_id = r.customer_id AND service_reminder.car_id = r.id',
      ),
    ],
    ['imported', isOfAnother('car')],
    ['changed', `${carMark.replaceAll('car.', 'r.')} <> m.mark`],
  ],
  customer: [
    ['message', has('message', 'message.customer_id = r.id')],
    ['booking', has('booking', 'booking.customer_id = r.id')],
    ['quote', has('quote', 'quote.customer_id = r.id')],
    ['optedOut', 'r.opted_out_at IS NOT NULL'],
    [
      'used',
      isUsed(
        ...[
          'conversation',
          'call_lead',
          'service_reminder',
          'scheduled_text',
          'talk_note',
          'texting_ground',
        ].map((table) => has(table, `${table}.customer_id = r.id`)),
        has('customer_apart', 'customer_apart.number_of = r.id OR customer_apart.customer_id = r.id'),
        has('customer other', 'other.merged_into = r.id'),
        has(
          'blast JOIN blast_recipient one ON one.blast_id = blast.id',
          'blast.workshop_id = r.workshop_id AND one.customer_id = r.id',
        ),
      ),
    ],
    ['imported', isOfAnother('customer')],
    // A car that stays, or that is not the file's.
    ['changed', `r.version::text <> m.mark OR ${has('car', 'car.customer_id = r.id')}`],
  ],
};

/** `$3` also where no reason asks for it: it is sent for each kind. */
const judgeText = (kind: ChangedKind) =>
  planByIndex(`SELECT r.id AS record_id, CASE
      ${reasons[kind].map(([name, holds]) => `WHEN ${holds} THEN '${name}'`).join('\n      ')} END AS stays
    FROM jsonb_to_recordset($2::jsonb) AS m (record_id uuid, mark text)
    JOIN ${kind} r ON r.id = m.record_id AND r.workshop_id = $1 AND $3::uuid IS NOT NULL`);
const judgeTexts: Readonly<Record<ChangedKind, string>> = {
  booking: judgeText('booking'),
  car: judgeText('car'),
  customer: judgeText('customer'),
};

/** Judges records that the import made and whose rows are locked: why each stays, or null. One that is there no more is left out. */
export async function judgeMade(
  tx: Queryable,
  { workshopId, id }: Pick<ImportRun, 'workshopId' | 'id'>,
  kind: ChangedKind,
  made: readonly Pick<Change, 'recordId' | 'mark'>[],
): Promise<{ readonly recordId: string; readonly stays: Stays | null }[]> {
  return tx.query(judgeTexts[kind], [workshopId, recordset(made), id]);
}

const deleteText = (kind: ChangedKind, customer: string, before = '') =>
  planByIndex(
    `${before}DELETE FROM ${kind} WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 RETURNING ${customer} AS customer_id`,
  );
const deleteTexts: Readonly<Record<ChangedKind, string>> = {
  booking: deleteText(
    'booking',
    'customer_id',
    `WITH unmarked AS (
      DELETE FROM attendance WHERE booking_id IN (SELECT id FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1)) `,
  ),
  car: deleteText('car', 'customer_id'),
  customer: deleteText('customer', 'id'),
};

/** Deletes records, with the rows that hang on them: links to bookings, the import's marks of who did not come, the row of the inbox. Resolves to the ids of their customers. */
export async function deleteRecords(
  tx: Queryable,
  workshopId: string,
  kind: ChangedKind,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ customerId: string }>(deleteTexts[kind], [workshopId, ids]);
  return [...new Set(rows.map(({ customerId }) => customerId))];
}

// A number stays where something refers to the customer, who may have been found by it.
const isReferredTo = [
  ...['message', 'conversation', 'booking', 'quote', 'call_lead', 'service_reminder', 'scheduled_text'],
]
  .map((table) => has(table, `${table}.customer_id = customer.id`))
  .join('\n    OR ');
const customersText =
  planByIndex(`SELECT id, version, name, first_name, last_name, email, company, address, suburb, postcode,
    tags, details_from, CASE WHEN NOT (${isReferredTo}) THEN phone END AS phone
    FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1`);
const carsText = planByIndex(`SELECT id, make, model, year, badge, vin, ${carMark} AS mark FROM car
  WHERE id = ANY ($2::uuid[]) AND workshop_id = $1`);

export type Present = { readonly id: string; readonly mark: string } & (
  | Omit<StoredCustomer, 'version'>
  | Omit<StoredCar, 'mark'>
);

/** Reads the present values of records. */
export async function readPresent(
  tx: Queryable,
  workshopId: string,
  kind: 'customer' | 'car',
  ids: readonly string[],
): Promise<Present[]> {
  if (kind === 'car') return tx.query<StoredCar>(carsText, [workshopId, ids]);
  const rows = await tx.query<StoredCustomer>(customersText, [workshopId, ids]);
  return rows.map((row) => ({ ...row, mark: String(row.version) }));
}

const setText = (kind: 'customer' | 'car', columns: readonly string[], mark: string) =>
  planByIndex(`UPDATE ${kind} SET (${columns.join(', ')}) = (
        SELECT ${columns.join(', ')} FROM jsonb_populate_record(${kind}, s."values")), updated_at = $3
      FROM jsonb_to_recordset($2::jsonb) AS s (id uuid, "values" jsonb)
     WHERE ${kind}.id = s.id AND ${kind}.workshop_id = $1 RETURNING ${kind}.id, ${mark} AS mark`);
const setTexts = {
  customer: setText(
    'customer',
    [
      ...['name', 'first_name', 'last_name', 'email', 'company', 'address', 'suburb', 'postcode'],
      ...['phone', 'tags', 'details_from'],
    ],
    'customer.version::text',
  ),
  car: setText('car', ['make', 'model', 'year', 'badge', 'vin'], carMark),
};

/** Writes values, by column; the others stay. Resolves to the marks afterwards. */
export async function setValues(
  tx: Queryable,
  workshopId: string,
  kind: 'customer' | 'car',
  rows: readonly { readonly id: string; readonly values: Readonly<Record<string, unknown>> }[],
  at: Date,
): Promise<{ readonly id: string; readonly mark: string }[]> {
  return rows.length === 0 ? [] : tx.query(setTexts[kind], [workshopId, recordset(rows), at]);
}

/**
 * Forgets up to `limit` rows of the file, so that they can be imported again; how many. Not of a booking that is there: a second one would
 * be made; nor of a customer without a phone, whom no row finds again, or who was erased.
 */
export async function forgetRows(tx: Queryable, run: ImportRun, limit: number): Promise<number> {
  const rows = await tx.query(
    planByIndex(`DELETE FROM import_row WHERE (workshop_id, row_sha256) IN (
       SELECT r.workshop_id, r.row_sha256 FROM import_row r
        WHERE r.imported_at >= $3::timestamptz - interval '1 minute' AND r.import_id = $2 AND r.workshop_id = $1
          AND NOT EXISTS (SELECT FROM booking b WHERE b.id = r.record_id)
          AND NOT EXISTS (SELECT FROM customer k WHERE k.id = r.record_id AND k.phone IS NULL)
        LIMIT $4)
     RETURNING true`),
    [run.workshopId, run.id, run.beganAt, limit],
  );
  return rows.length;
}
