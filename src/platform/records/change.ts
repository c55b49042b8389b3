/**
 * Changes of records as SQL: rows that change count a version, and each change or creation is an event with the row's wire form. The
 * CTEs are named after the table, so that a statement may change rows of several records.
 */
import { columnOf } from '#platform/db/parameters.ts';
import { type ActorSql, insertEvents } from '#platform/events/record.ts';
import type { AnyRecord } from './record.ts';

/** The parts of a record that its changes need: an event's payload has the row as its partner reads it, under the record's name. */
type Recorded = Pick<AnyRecord, 'name' | 'table' | 'partner'>;

interface What {
  /** The kind of the event, as an expression over the row `r` after it: `'quote.expired'`. */
  readonly kind: string;
  /** The id of the event, when one row is changed; generated when absent. */
  readonly id?: string;
  /** Further values of the payload, beside the wire form: expressions over that row. */
  readonly payload?: Readonly<Record<string, string>>;
  /** The changed fields afterwards, for the audit trail: expressions over that row. */
  readonly after?: Readonly<Record<string, string>>;
}

export interface ChangeSql extends What {
  /** Assignments, beside those of version and time. The row is `r` in all that follows. */
  readonly set?: string;
  /** The same fields before, or all of them as one jsonb: expressions over that item and the statement's parameters. */
  readonly before?: Readonly<Record<string, string>> | string;
  /** A FROM item. */
  readonly from?: string;
  readonly where: string;
  /** Business time. */
  readonly now: string;
  readonly by: ActorSql;
}

/** The assignments of every change of a row `r`: its version, which a partner's `If-Match` names, and its time both rise strictly. */
export const countedAt = (now: string) =>
  `version = r.version + 1, updated_at = greatest(${now}, r.updated_at + interval '1 millisecond')`;

const fieldsJson = (fields: ChangeSql['before']) =>
  fields === undefined || typeof fields === 'string'
    ? fields
    : `jsonb_build_object(${Object.entries(fields).flatMap(([name, value]) => [`'${name}'`, value])})`;

/**
 * CTEs that change rows and record it: `changed_<table>`, `<table>_snapshot` (the rows after it, each with its wire form in a column of
 * the record's name) and `<table>_event`. The time of a change is later than that of the one before it.
 */
export function changeCtes(
  record: Recorded,
  { set, from, where, now, by, before, ...what }: ChangeSql,
): string {
  const { table } = record;
  const was = fieldsJson(before);
  return `changed_${table} AS (
      UPDATE ${table} AS r SET ${set === undefined ? '' : `${set}, `}${countedAt(now)}
        ${from === undefined ? '' : `FROM ${from} `}WHERE ${where}
      RETURNING r.*, ${by.actor} AS actor, ${by.requestId} AS request_id${was ? `,\n                ${was} AS before_it` : ''}),
    ${recordCtes(record, `changed_${table}`, { ...what, ...(was && { before: 'r.before_it' }) })}`;
}

/**
 * CTEs `<table>_snapshot` and `<table>_event`, for rows that the CTE `rows` has just made or changed, with who did it (`actor,
 * request_id`). The event is of the time of the row's change.
 */
export function recordCtes(
  { table, name, partner }: Recorded,
  rows: string,
  { kind, id, payload, after, before }: What & { readonly before?: string },
): string {
  const is = fieldsJson(after);
  const snapshot = columnOf(name);
  return `${table}_snapshot AS MATERIALIZED (
      SELECT r.*, ${partner.json('r')} AS ${snapshot} FROM ${rows} r ${partner.joins('r')}),
    ${table}_event AS (
      ${insertEvents({
        ...{
          from: `${table}_snapshot r`,
          row: 'r',
          ...(id !== undefined && { id }),
          kind,
          at: 'r.updated_at',
        },
        payload: { [name]: `r.${snapshot}`, ...payload },
        ...(before && { before }),
        ...(is && { after: is }),
        by: { actor: 'r.actor', requestId: 'r.request_id' },
      })})`;
}
