/** Limits how many customers a session may see by searching and listing, so that nobody can copy all of them. */
import { tooManyRequests } from '#platform/http/rate-limit.ts';
import { countFound, type FoundCount } from '#product/people/sessions/found/store.ts';
import type { Visit } from './visit.ts';

/** Distinct customers of one session. */
const foundPerHour = { policy: 'console-found', quota: 2_000, windowSeconds: 3_600 };

/** Counts customers before they are shown; false: they may not be shown. */
export const letIn = ({ context, who }: Visit, customerIds: readonly string[]): Promise<FoundCount> =>
  countFound(context.db, { sessionId: who.sessionId, customerIds, atMost: foundPerHour.quota });

/** The same; throws 429 above the hour's limit. */
export async function countShown(visit: Visit, customerIds: readonly string[]): Promise<void> {
  if (customerIds.length === 0) return;
  const { isLetIn, resetMs } = await letIn(visit, customerIds);
  if (!isLetIn) throw tooManyRequests(foundPerHour, resetMs, 'You have looked up too many customers');
}
