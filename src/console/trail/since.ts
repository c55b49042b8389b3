/** Who changed what since a form was shown, for whoever sends it too late. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Refused, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesAfter } from './view.ts';

/** Null: that is not why it was refused, or nothing of it has a version. */
export async function changesSince(
  visit: WorkshopVisit,
  subjectId: string,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  if (refused === null || !refused.isStale) return null;
  const changes = await changesAfter(visit, subjectId, refused.version ?? versionOf(visit.form));
  return changes === null ? null : html`<ul>${changes}</ul>`;
}
