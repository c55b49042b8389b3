/** /console/w/{slug}/blasts/{id}: one blast: when, to whom, which text, how far it is, who did what, and Pause, Resume and Stop. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { afterQuiet, isQuiet, usualQuietHours } from '#base/values/quiet-hours.ts';
import { Problem } from '#errors.ts';
import type { TrailEntry } from '#platform/audit/read/store.ts';
import { facts } from '#platform/pages/components.ts';
import { type BlastChange, blastChanges } from '#product/campaigns/blasts/change.ts';
import { type BlastRow, findBlast } from '#product/campaigns/blasts/store.ts';
import { isChange } from '#product/campaigns/blasts/trail.ts';
import { doneText } from '../../bookings/done.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { refusal } from '../../frame/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';
import { textShown } from '../../frame/masked.ts';
import { reasonInWords } from '../../frame/reasons.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { changesAmong } from '../../trail/since.ts';
import { readTrail, trailCard } from '../../trail/view.ts';
import { campaignForm, campaignLive, customers, textCard } from '../parts.ts';
import { type ReasonCount, reasonsOfBlast, textsOfBlasts } from '../store.ts';
import { audienceInWords } from '../words.ts';
import { blastMark } from './words.ts';

/** Throws 404, also for a blast of another workshop. */
export async function openBlast({ context, workshop, params }: WorkshopVisit): Promise<BlastRow> {
  const id = params['id'] ?? '';
  const blast = isId(id) ? await findBlast(context.db, workshop.workshopId, id) : null;
  if (blast === null) throw new Problem('000002');
  return blast;
}

export const showBlast = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  blastPage(visit, await openBlast(visit), null);

/** `refused`: why it could not be paused, resumed or stopped. */
export async function blastPage(
  visit: WorkshopVisit,
  blast: BlastRow,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, base, query, form } = visit;
  const { id, name, status, counts } = blast;
  const { workshopId } = workshop;
  const isMoving = status === 'sending';
  const hasSome = counts.failed + counts.unknown + counts.skipped > 0;
  const [texts, trail, reasons] = await Promise.all([
    textsOfBlasts(context.db, workshopId, [id]),
    readTrail(visit, id),
    // They are counted one by one: not again and again while it is being sent.
    isMoving || !hasSome ? [] : reasonsOfBlast(context.db, { workshopId, id }),
  ]);
  const seen = trail.find(isChange)?.id ?? '';
  const changes = await changesAmong(visit, trail, (entry) => entry.id > (form['seen'] ?? ''), refused);
  const stopped = reasons.filter(({ reason }) => reason === 'stopped');
  const left = counts.waiting + stopped.reduce((sum, { count }) => sum + count, 0);
  const said = query['done'] === 'stopped' ? whatStopped(left) : doneText(query['done']);
  return {
    title: `Blast ${textShown(name, workshop)}`,
    ...{ current: 'More', live: campaignLive, version: seen, said },
    main: html`<div class="head"><h1><bdi>${textShown(name, workshop)}</bdi></h1>${blastMark(blast)}</div>
${refusal(refused, changes)}${standing(visit, blast, trail)}
<div class="columns"><div class="stack">${plan(visit, blast)}${textCard(texts.get(id), workshop)}${progress(blast, reasons)}</div>
<div class="stack">${forms(`${base}/blasts/${id}`, blast, seen)}${await trailCard(visit, trail)}</div></div>
<p><a href="${base}/blasts">All blasts</a></p>`,
  };
}

const whatStopped = (left: number) =>
  left === 0 ? 'Stopped: nobody gets it.' : `Stopped: ${customers(left)} will not get it.`;

function plan({ workshop, base }: WorkshopVisit, blast: BlastRow): SafeHtml {
  const { id, audience, otherCountries, status, createdAt, scheduledAt, startedAt, endedAt } = blast;
  const at = (instant: Date | null) => instant && localDateTime(instant, workshop.timezone);
  const isAhead = startedAt === null && status !== 'cancelled';
  return html`<section class="card">${facts([
    ['Audience', audienceInWords(audience, workshop)],
    ['Other countries', otherCountries ? 'Numbers of other countries get it too' : null],
    ['Made', at(createdAt)],
    [startedAt === null ? 'Send at' : 'Was to begin', at(scheduledAt)],
    ['Began', at(startedAt)],
    [status === 'cancelled' ? 'Stopped' : 'Ended', at(endedAt)],
  ])}${isAhead ? html`<p><a class="button quiet" href="${base}/blasts/${id}/preview">Preview</a></p>` : null}</section>`;
}

/** Words for the reason why the blast waits; null: it does not. */
function standing(
  { context, workshop }: WorkshopVisit,
  { status }: BlastRow,
  trail: readonly TrailEntry[],
): SafeHtml | null {
  const { timezone } = workshop;
  const now = context.clock.now();
  if (status === 'draft')
    return html`<p class="notice info">It is a draft: nobody gets it until a partner, or whoever runs the installation, has it sent.</p>`;
  if (status === 'paused') {
    const reason = trail.find(isChange)?.after?.['reason'];
    return html`<p class="notice info">Nothing goes until it is resumed.${typeof reason === 'string' ? ` It was paused because ${reasonInWords(reason)}.` : null}</p>`;
  }
  if (status === 'sending' && isQuiet(now, usualQuietHours, timezone))
    return html`<p class="notice info">Nothing goes between ${usualQuietHours.from} and ${usualQuietHours.to}. It goes on at ${localDateTime(afterQuiet(now, usualQuietHours, timezone), timezone)}.</p>`;
  return null;
}

function progress({ startedAt, status, counts }: BlastRow, reasons: readonly ReasonCount[]): SafeHtml | null {
  if (startedAt === null) return null;
  const { recipients, waiting, sent, delivered, failed, unknown, skipped } = counts;
  const shown = (count: number) => (count === 0 ? null : count.toLocaleString('en'));
  const left = reasons.map(
    ({ reason, count }) => html`<li>${count.toLocaleString('en')}: ${reasonInWords(reason)}</li>`,
  );
  return html`<section class="card"><h2>How far it is</h2>${facts([
    ['Customers', recipients.toLocaleString('en')],
    ['Sent', sent.toLocaleString('en')],
    ['Delivered, of those', shown(delivered)],
    ['Waiting', shown(waiting)],
    ['Failed', shown(failed)],
    ['Not known', shown(unknown)],
    ['Left out', shown(skipped)],
  ])}${left.length === 0 ? null : html`<h3>Who did not get it</h3><ul class="plain">${left}</ul>`}${status === 'sending' && failed + unknown + skipped > 0 ? html`<p class="quiet">Why some did not get it stands here once it has ended or is paused.</p>` : null}</section>`;
}

function forms(path: string, { status, startedAt, counts }: BlastRow, seen: string): SafeHtml | null {
  const can = (change: BlastChange) => blastChanges[change].from.some((each) => each === status);
  if (!can('cancel')) return null;
  const waiting =
    startedAt === null
      ? 'Nobody has had it, and nobody will get it.'
      : `${customers(counts.waiting)} ${counts.waiting === 1 ? 'has' : 'have'} not had it, and will not get it.`;
  return html`<section class="card">${can('pause') ? campaignForm({ action: `${path}/pause`, seen, name: 'Pause', kind: 'quiet', about: 'Nothing more goes until it is resumed. What was handed over already arrives.' }) : null}
${can('resume') ? campaignForm({ action: `${path}/resume`, seen, name: 'Resume', about: startedAt === null ? 'It begins at its time, or at once where that is past.' : `It goes on: ${customers(counts.waiting)} ${counts.waiting === 1 ? 'waits' : 'wait'} for it.` }) : null}</section>
<section class="card">${campaignForm({ action: `${path}/stop`, seen, name: 'Stop', kind: 'danger', about: `${waiting} This can't be undone.` })}</section>`;
}
