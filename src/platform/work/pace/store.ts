/** SQL of the gateways' rates: one row for each gateway, from which all processes of an installation reserve start times. */
import type { Queryable } from '#platform/db/database.ts';
import type { Pace, Reservation } from '#platform/gateways/limiter/pace.ts';

/**
 * Reserves start times of one gateway. They are a fixed interval apart across all processes, by the database's clock (GCRA without a
 * burst): no span holds more of them than it has intervals, plus one.
 */
export function paceOf(db: Queryable, gateway: string, perSecond: number): Pace {
  return {
    perSecond,
    async reserve(count, withinMs) {
      const [row] = await db.query<Reservation>(
        `WITH reserved AS (
           INSERT INTO gateway_pace AS pace (gateway, next_at)
           VALUES ($1, clock_timestamp() + $2 * interval '1 second' / $3)
           ON CONFLICT (gateway) DO UPDATE
             SET next_at = greatest(pace.next_at, clock_timestamp()) + $2 * interval '1 second' / $3
             WHERE pace.next_at <= clock_timestamp() + $4 * interval '1 millisecond'
           RETURNING next_at - $2 * interval '1 second' / $3 AS starts_at
         ), next AS (
           SELECT true AS granted, starts_at FROM reserved
           UNION ALL
           SELECT false, next_at FROM gateway_pace WHERE gateway = $1 AND NOT EXISTS (SELECT FROM reserved)
         )
         SELECT granted, greatest(0, extract(epoch FROM starts_at - clock_timestamp()) * 1000)::float8 AS starts_in_ms
         FROM next`,
        [gateway, count, perSecond, withinMs],
      );
      return row ?? { granted: false, startsInMs: withinMs };
    },
  };
}
