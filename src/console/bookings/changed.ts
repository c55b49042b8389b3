/** Who changed what since a form was shown, for whoever sends it too late. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Refused, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesAfter } from '../trail/view.ts';
import type { OpenedBooking } from './open.ts';

/** Null: that is not why it was refused. */
export async function changesSince(
  visit: WorkshopVisit,
  { booking }: Pick<OpenedBooking, 'booking'>,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  if (refused === null || !refused.isStale) return null;
  const version = refused.version ?? versionOf(visit.form);
  const changes = await changesAfter(visit, booking.id, version);
  return changes === null ? null : html`<ul>${changes}</ul>`;
}
