/** Who changed what of a customer since a form was shown. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesAfter, trailOf } from '../trail/view.ts';

/** What has no version of its own, such as tags, stands in the trail. Null: that is not why it was refused. */
export async function changesSince(
  visit: WorkshopVisit,
  customerId: string,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  if (refused === null || !refused.isStale) return null;
  const changes = await changesAfter(visit, customerId, Number(visit.form['version']) || 0);
  return changes === null ? trailOf(visit, customerId) : html`<ul>${changes}</ul>`;
}
