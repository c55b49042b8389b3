/** `list` and `show` of a record, made from its declaration. */
import type { Command } from 'commander';
import { InvalidInput } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { parseTypedPeriod, typedTimeForms } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import type { AnyRecord, RecordType, StaffRow } from '#platform/records/record.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { type Session, withSession } from './session.ts';
import { verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

export interface Words {
  readonly summary: string;
  readonly examples: readonly string[];
}

/** The options of a list, as typed: those of the declaration, and a command's own. */
export type Search = Readonly<Partial<Record<string, string>>>;

/** `list`, the newest first. */
export function registerList<Row extends StaffRow>(
  group: Command,
  record: RecordType<unknown, Row>,
  words: Words,
): void {
  const listed = list<Row, Search>(group, {
    ...{ ...words, usage: 'list', what: record.noun, cursor: 'before' },
    columns: async () => (await import('./record-shown.ts')).columnsOf(record),
    cursorOf: ({ id }) => id,
    async open(session, _, search) {
      const { listRecords } = await import('#platform/records/staff/store.ts');
      const wanted = await readSearch(session, record, search, readPeriod);
      return ({ cursor: before, limit }) => listRecords(session.db, record, { ...wanted, before, limit });
    },
  });
  withFilters(listed, record);
}

/** `show <quote>`, by its id or code. */
export function registerShow<Row extends StaffRow>(
  group: Command,
  record: RecordType<unknown, Row>,
  words: Words,
): void {
  verb(group, { ...words, usage: `show <${record.noun}>`, times: true }, ([idOrCode = '']) =>
    withSession(async ({ db }) => {
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const found = await requireRecord(db, record, idOrCode);
      return { json: found, text: await shown(record, found) };
    }),
  );
}

/** One record for people, with what a command adds. */
export async function shown<Row extends StaffRow>(
  record: RecordType<unknown, Row>,
  row: Row,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { detailsOf } = await import('./record-shown.ts');
  return details({ ...detailsOf(record, row), ...more });
}

/** The options of the filters that all records have under one name. */
export function withFilters(command: Command, { state, staff }: AnyRecord): Command {
  const [last = '', ...others] = state.all.toReversed();
  const states = `${others.toReversed().join(', ')} or ${last}; all unless given`;
  withWorkshop(command).option(`--${state.name} <${state.name}>`, states);
  for (const [name, [value, what]] of Object.entries(optionOf)) {
    if (Object.hasOwn(staff.filters, name)) command.option(`--${name} <${value}>`, what);
  }
  return command;
}

const optionOf = {
  from: ['time', `from this time on: ${typedTimeForms}, in the workshop's zone`],
  to: ['time', 'before this time'],
  customer: ['id', 'of one customer only'],
  partner: ['id', 'of one partner only'],
} as const;

interface ReadFilters {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly errors: readonly FieldError[];
}

/**
 * The request of a list; `readMore` parses options that depend on the workshop. Throws InvalidInput that names every bad option,
 * then OperatorError for an unknown workshop, partner or customer.
 */
export async function readSearch<Filters extends ReadFilters>(
  session: Session,
  record: AnyRecord,
  search: Search,
  readMore: (search: Search, workshop: Workshop, now: Date) => Filters,
) {
  const { db, clock } = session;
  const workshop = await workshopOf(session, search['workshop']);
  const more = readMore(search, workshop, clock.now());
  const errors = [...more.errors];
  const { name, all } = record.state;
  const states = all.filter((state) => (search[name] ?? state) === state);
  if (states.length === 0) errors.push({ field: name, message: `must be one of ${all.join(', ')}` });
  const { customer, partner } = search;
  for (const [field, id] of Object.entries({ customer, partner })) {
    if (id !== undefined && !isId(id)) errors.push({ field, message: 'is not an id' });
  }
  if (errors.length > 0) throw new InvalidInput(errors);
  if (partner !== undefined) await (await import('#product/partners/store.ts')).requirePartner(db, partner);
  if (customer !== undefined)
    await (await import('#product/customers/store.ts')).requireCustomer(db, customer);
  const filters: Filters['filters'] & Search = { ...more.filters, customer, partner };
  return { workshopId: workshop.workshopId, states, filters };
}

const readPeriod = (search: Search, { timezone }: Workshop, now: Date) => {
  const { errors, ...filters } = parseTypedPeriod(search, timezone, now);
  return { filters, errors };
};
