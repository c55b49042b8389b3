/** Formats records for commands: the declaration's columns and details, in the zone and the country of each row's workshop. */

import { nameWritten, phoneIn } from '#base/values/phone.ts';
import type { DisplayFormat, RecordType, StaffRow } from '#platform/records/record.ts';
import type { Columns } from './table.ts';
import { at } from './times.ts';

const shownIn = ({ timezone, country }: StaffRow): DisplayFormat => ({
  time: (instant) => at(instant, timezone),
  phone: (e164) => e164 && phoneIn(country, e164),
  name: (name) => name && nameWritten(name, country),
});

export function columnsOf<Row extends StaffRow>({ people }: RecordType<unknown, Row>): Columns<Row> {
  const columns = Object.entries(people.columns);
  return Object.fromEntries(
    columns.map(([heading, show]) => [heading, (row: Row) => show(row, shownIn(row))]),
  );
}

export const detailsOf = <Row extends StaffRow>({ people }: RecordType<unknown, Row>, row: Row) =>
  people.details(row, shownIn(row));
