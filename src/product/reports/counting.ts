/**
 * How reports count: the rows of one table, by an instant of each row, in each of some periods. Each period is one range of an
 * index.
 */
import { columnOf } from '#platform/db/parameters.ts';
import { isAccepted } from '#product/sending/accepted.ts';

/** The counts over one table, by an instant of its rows. */
export interface Source<Name extends string> {
  readonly table: string;
  /** The table with its joins; absent: only the table. */
  readonly from?: string;
  /** The column with that instant. */
  readonly at: string;
  /** Aggregates over the rows. */
  readonly counts: Readonly<Partial<Record<Name, string>>>;
}

/** From its first instant to the first one after it. */
export interface Span {
  readonly since: Date;
  readonly until: Date;
}

/** An aggregate: the number of rows that meet a condition. */
export const number = (condition: string): string => `count(*) FILTER (WHERE ${condition})`;

/** A condition over messages: an SMS that was sent. */
export const sentMessage = `direction = 'outbound' AND ${isAccepted('message')}`;

/** The aggregates over messages in every report. */
export const messageCounts = {
  messagesSent: number(sentMessage),
  messagesDelivered: number(`state = 'delivered'`),
  messagesFailed: number(`state IN ('failed', 'undelivered', 'expired')`),
  messagesReceived: number(`direction = 'inbound'`),
  smsSegments: `coalesce(sum(segments) FILTER (WHERE ${sentMessage}), 0)`,
} as const;

/** The periods of a statement, from two arrays of instants: rows of `period` with `since`, `until` and their `number`, from 1. */
export const periods = (sinces: string, untils: string): string =>
  `unnest(${sinces}::timestamptz[], ${untils}::timestamptz[]) WITH ORDINALITY AS period (since, until, number)`;

/**
 * The aggregates of one source over the rows that meet `where`, for a row `period`; with `by` in groups, with that column as `key`.
 * The planner does not know the length of a period, and therefore uses the index, even if one tenant has most of the table: reading
 * it completely would cost three times as much.
 */
export function countedIn<Name extends string>(
  { table, from = table, at, counts }: Source<Name>,
  where: string,
  by?: string,
): string {
  const columns = Object.entries<string | undefined>(counts).map(
    ([name, sql]) => `${sql} AS ${columnOf(name)}`,
  );
  const [key, group] = by === undefined ? ['', ''] : [`${by}::text AS key, `, `GROUP BY ${by}`];
  return `LATERAL (SELECT ${key}${columns.join(', ')} FROM ${from}
    WHERE ${where} AND ${at} >= since AND ${at} < until ${group}) AS its_${table}`;
}
