/** The changes since a form was shown, for the person whose form was refused for them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { latestEntry, type TrailEntry } from '#platform/audit/read/store.ts';
import { type Refused, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesAfter, inWords } from './view.ts';

/** Null: the form was refused for another reason, or the record has no version. */
export async function changesSince(
  visit: WorkshopVisit,
  subjectId: string,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  if (refused === null || !refused.isStale) return null;
  const changes = await changesAfter(visit, subjectId, refused.version ?? versionOf(visit.form));
  return changes === null ? null : html`<ul>${changes}</ul>`;
}

/** The same for a record without versions, whose form says what its sender has seen; `trail` is newest first. */
export async function changesAmong(
  visit: WorkshopVisit,
  trail: readonly TrailEntry[],
  isSince: (entry: TrailEntry) => boolean,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  const entries = refused?.isStale ? trail.filter(isSince).toReversed() : [];
  return entries.length === 0 ? null : html`<ul>${await inWords(visit, entries)}</ul>`;
}

/** The same for a form of a booking's attendance, which has no version: who marked it last. */
export async function attendanceSince(
  visit: WorkshopVisit,
  bookingId: string,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  if (!refused?.isStale) return null;
  const { context, workshop } = visit;
  const actions = ['booking.attended', 'booking.carReady'];
  const of = { workshopId: workshop.workshopId, subjectId: bookingId, actions };
  const latest = await latestEntry(context.db, of);
  return changesAmong(visit, latest === null ? [] : [latest], () => true, refused);
}
