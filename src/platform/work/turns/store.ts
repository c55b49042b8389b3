/**
 * A fair queue: entries stand in lanes (a workshop's texts, an endpoint's deliveries), and each lane has a row that says when its next
 * turn is. A claim takes the lanes whose turn it is, and from each as many due entries as its share of the room. Lanes and entries that
 * others lock are skipped, so claims never wait for each other, and no lane, however long, keeps the next one waiting.
 *
 * These are the CTEs that every claim has, in the order in which a statement names them. The claim itself adds `clock` (with `at`), `candidate`
 * (lanes that may be due, with `next_at` and `version`), `wanted` (rows of `seen`, in the order of its own fairness), `leased` (the next
 * state of `locked` entries, with their new `due_at`) and `next` (each lane's next turn). `version` rises with each turn: a claim whose snapshot
 * is older sees that what it knows of the lane is outdated.
 */
import type { Queryable } from '#platform/db/database.ts';

interface Queue {
  readonly lane: {
    readonly table: string;
    /** The columns of its key, which entries have as well. */
    readonly key: readonly string[];
  };
  readonly entry: {
    readonly table: string;
    /** The column of its key. */
    readonly id: string;
  };
  /** How long a claimed entry belongs to its holder without a renewal. */
  readonly leaseSeconds: number;
}

interface Held {
  /** More columns of the lane's row. */
  readonly columns?: readonly string[];
  /** A condition on `own`, the present row of the lane; absent: no condition. */
  readonly where?: string;
  /** An expression; absent: all of them. */
  readonly atMost?: string;
}

interface Seen {
  /** The CTE with the lanes, and what is joined to it. */
  readonly from: string;
  readonly lane: string;
  /** How many entries the lane may have; an expression. */
  readonly size: string;
  /** More columns. */
  readonly columns?: readonly string[];
  /** Added to the position of an entry (from 1) within its lane. */
  readonly placeAfter?: string;
  readonly where: string;
}

/** The comments on each part, in the recorded statements. */
const why = {
  chosen:
    '-- Those that nobody else holds. One that has changed since this statement began is not known: its entries may be newer.',
  seen: '-- The first entries of each, one more than it may have: the next turn is when the first one left over is due.',
  locked: '-- Those that are as they were seen, and that nobody else holds.',
  leftOver: '-- When the first one that is left in each is due.',
} as const;

/** A claimed entry, as its holder knows it. */
interface Lease {
  readonly id: string;
  readonly attemptId: string | null;
}

/** The parts of the statements of one fair queue. */
export function turnsOf({ lane, entry, leaseSeconds }: Queue) {
  const leaseFrom = (at: string) => `${at} + interval '${leaseSeconds} seconds'`;
  const renewText = `UPDATE ${entry.table} AS own SET due_at = ${leaseFrom('clock_timestamp()')}
       FROM unnest($1::uuid[], $2::uuid[]) AS mine (id, attempt_id)
      WHERE own.${entry.id} = mine.id AND own.attempt_id IS NOT DISTINCT FROM mine.attempt_id AND own.in_flight`;
  const keyOf = (alias: string) => lane.key.map((column) => `${alias}.${column}`).join(', ');
  const isSameLane = (one: string, other: string) =>
    lane.key.map((column) => `${one}.${column} = ${other}.${column}`).join(' AND ');
  return {
    /** When the lease of what is claimed at `at` ends. */
    leaseFrom,

    /** `chosen`: candidates that nobody else holds. `is_known`: the lane is as this statement sees it. */
    chosen: ({ columns = [], where = 'true', atMost = 'ALL' }: Held = {}) => `${why.chosen}
  chosen AS (
    SELECT ${[keyOf('candidate'), ...columns.map((column) => `own.${column}`)].join(', ')}, candidate.next_at,
           own.version = candidate.version AS is_known
      FROM candidate CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT ${['version', ...columns].join(', ')} FROM ${lane.table} AS own
         WHERE ${isSameLane('own', 'candidate')} AND ${where} FOR NO KEY UPDATE SKIP LOCKED) AS own
     LIMIT ${atMost})`,

    /** `seen`: the first entries of each lane. */
    seen: ({ from, lane: its, size, columns = [], placeAfter = '0', where }: Seen) => `${why.seen}
  seen AS (
    SELECT ${[keyOf(its), ...columns].join(', ')}, ${its}.next_at, e.${entry.id}, e.due_at, ${placeAfter} + e.place AS place,
           e.due_at <= clock.at AND e.place <= ${size} AS is_wanted
      FROM ${from} CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT ${entry.id}, due_at, row_number() OVER (ORDER BY due_at, ${entry.id}) AS place FROM ${entry.table} AS own
         WHERE ${isSameLane('own', its)} AND due_at IS NOT NULL ORDER BY due_at, ${entry.id} LIMIT ${size} + 1) AS e
     WHERE ${where})`,

    /** `locked`: wanted entries that are as they were seen, and that nobody else holds. */
    locked: `${why.locked}
  locked AS (
    SELECT own.* FROM wanted CROSS JOIN LATERAL (
      SELECT * FROM ${entry.table} AS e WHERE e.${entry.id} = wanted.${entry.id} AND e.due_at = wanted.due_at
         FOR NO KEY UPDATE SKIP LOCKED) AS own)`,

    /** `left_over`: when the first entry that is left in each lane is due, and how many were taken from it. */
    leftOver: `${why.leftOver}
  left_over AS (
    SELECT ${keyOf('seen')}, min(coalesce(leased.due_at, seen.due_at)) AS due_at, count(leased.${entry.id}) AS taken
      FROM seen LEFT JOIN leased ON leased.${entry.id} = seen.${entry.id} GROUP BY ${keyOf('seen')})`,
    /** A join of `left_over` to a CTE of lanes. */
    joinLeftOver: (its: string) => `LEFT JOIN left_over ON ${isSameLane('left_over', its)}`,

    /** `turned`: each lane gets its next turn; `when`: where that is worth a write. */
    turned: (when = 'true') => `turned AS (
    UPDATE ${lane.table} AS own SET next_at = next.next_at, version = own.version + 1
      FROM next WHERE ${isSameLane('own', 'next')} AND (${when}))`,

    /** Whether more is due than was claimed: the room was used up, or another process is claiming. `judged`: the CTE of lanes that were looked at. */
    moreDue: (judged: string) => `coalesce((SELECT bool_or(next.next_at <= clock.at) FROM next), false)
           OR (SELECT count(*) FROM ${judged}) < (SELECT count(*) FROM candidate)`,

    /** Extends these leases, as far as the holder still has them. */
    async renew(db: Queryable, held: readonly Lease[]): Promise<void> {
      await db.query(renewText, [held.map(({ id }) => id), held.map(({ attemptId }) => attemptId)]);
    },
  };
}

/** The rows of a claim: always one, whose id is null where nothing was claimed. */
type ClaimRow<Entry> = { readonly moreDue: boolean } & (Entry | { readonly id: null });

/** The entries that a claim took, and whether more are due. */
export function claimed<Entry extends { readonly id: string }>(
  rows: readonly ClaimRow<Entry>[],
): { readonly entries: Entry[]; readonly moreDue: boolean } {
  const entries = rows.flatMap(({ moreDue: _, ...entry }) =>
    entry.id === null ? [] : [entry as unknown as Entry],
  );
  return { entries, moreDue: rows[0]?.moreDue ?? false };
}
