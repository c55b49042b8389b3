/**
 * Limits how many customers a person may see, so that nobody can copy all of them: every page that shows customers counts them, except
 * Today, the present week and their print (specification: The console). Exports have limits of their own.
 */
import { localDateTime } from '#base/values/local-time.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type RateLimit, tooManyRequests } from '#platform/http/rate-limit.ts';
import { countShownTo, type ShownCount } from '#product/people/shown/store.ts';
import type { WorkshopVisit } from './visit.ts';

/** Different customers of a person and workshop. */
const shownPerHour = { policy: 'console-found', quota: 2_000, windowSeconds: 3_600 };

/** Counts customers before they are shown; when they may not be shown, none is counted. */
export async function letIn(
  { context, who, workshop }: WorkshopVisit,
  customerIds: readonly string[],
): Promise<ShownCount> {
  if (customerIds.length === 0) return { isLetIn: true, resetMs: 0 };
  const of = { personId: who.personId, workshopId: workshop.workshopId, customerIds };
  return countShownTo(context.db, { ...of, atMost: shownPerHour.quota });
}

/** The same; throws 429 above the hour's limit, with when it ends. */
export async function countShown(visit: WorkshopVisit, customerIds: readonly string[]): Promise<void> {
  const { isLetIn, resetMs } = await letIn(visit, customerIds);
  if (isLetIn) return;
  const message = `You have looked up too many customers: ${shownPerHour.quota.toLocaleString('en')} within an hour are the most. ${endOf(visit, resetMs)}, and Today and this week are open meanwhile`;
  throw tooManyRequests(shownPerHour, resetMs, message);
}

/** Files with much of a workshop in them: each kind has its own count. */
export type Taken = 'export' | 'report';

const takenPerDay: Readonly<Record<Taken, RateLimit & { readonly what: string }>> = {
  export: { policy: 'console-exports', quota: 10, windowSeconds: 86_400, what: 'exports of customers' },
  report: { policy: 'console-reports', quota: 10, windowSeconds: 86_400, what: 'tables of the report' },
};

/** Counts a file of a person and workshop, unless the transaction in `db` is rolled back; throws 429 above the day's limit, with when it ends. */
export async function countTaken(
  visit: WorkshopVisit,
  taken: Taken,
  db: Queryable = visit.context.db,
): Promise<void> {
  const { who, workshop } = visit;
  const { what, ...limit } = takenPerDay[taken];
  await countAttempt(
    { db },
    {
      limit,
      refusal: (resetMs) =>
        `You have had ${limit.quota} ${what} within a day, which are the most. ${endOf(visit, resetMs)}`,
      source: [limit.policy, who.personId, workshop.workshopId],
    },
  );
}

/** By the machine's clock, at the workshop. */
const endOf = ({ context, workshop }: WorkshopVisit, resetMs: number): string =>
  `That ends on ${localDateTime(new Date(context.clock.machineNow().getTime() + resetMs), workshop.timezone)}`;
