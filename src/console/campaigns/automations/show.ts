/** /console/w/{slug}/automations/{id}: one automation: when it sends, which text, its runs with reasons, who did what, Pause and Resume. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { Problem } from '#errors.ts';
import { latestEntry, type TrailEntry } from '#platform/audit/read/store.ts';
import { facts } from '#platform/pages/components.ts';
import { seenOfAutomation } from '#product/campaigns/automations/change.ts';
import { listRuns, type RunRow } from '#product/campaigns/automations/runs/store.ts';
import { type AutomationRow, findAutomation } from '#product/campaigns/automations/store.ts';
import { doneText } from '../../bookings/done.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { refusal } from '../../frame/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';
import { countShown } from '../../frame/found.ts';
import { nameShown, textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { filterLinks, filterOf } from '../../lists/filters.ts';
import { listedAtMost } from '../../lists/table.ts';
import { changesAmong } from '../../trail/since.ts';
import { readTrail, trailCard } from '../../trail/view.ts';
import { beforeOf, campaignForm, campaignLive, nextLink, textCard } from '../parts.ts';
import { customersOfRuns, type RunCustomer, textsOfAutomations } from '../store.ts';
import { conditionsInWords, delayInWords, quietInWords, triggerInWords } from '../words.ts';
import { automationMark, runFilters, runMark } from './words.ts';

/** Throws 404, also for an automation of another workshop. */
export async function openAutomation({ context, workshop, params }: WorkshopVisit): Promise<AutomationRow> {
  const id = params['id'] ?? '';
  const automation = isId(id) ? await findAutomation(context.db, workshop.workshopId, id) : null;
  if (automation === null) throw new Problem('000002');
  return automation;
}

export const showAutomation = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  automationPage(visit, await openAutomation(visit), null);

/** `refused`: why it could not be paused or resumed. */
export async function automationPage(
  visit: WorkshopVisit,
  automation: AutomationRow,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, base, query, form } = visit;
  const { id, conditions, createdAt } = automation;
  const { workshopId, timezone } = workshop;
  const name = textShown(automation.name, workshop);
  const filter = filterOf(runFilters, query['filter']);
  const [texts, trail, runs] = await Promise.all([
    textsOfAutomations(context.db, workshopId, [id]),
    readTrail(visit, id),
    listRuns(context.db, id, {
      ...{ status: filter === 'all' ? null : filter, before: beforeOf(visit), limit: listedAtMost },
    }),
  ]);
  const theirs = runs.map(({ customerId }) => customerId);
  const people = await customersOfRuns(context.db, workshopId, theirs);
  await countShown(visit, [...new Set([...people.values()].map(({ keptId }) => keptId))]);
  const seen = seenOfAutomation(automation);
  // Runs that partners trigger may fill the trail that is shown.
  const actions = ['automation.changed'];
  const latest = refused?.isStale
    ? await latestEntry(context.db, { workshopId, subjectId: id, actions })
    : null;
  const isSince = ({ occurredAt }: TrailEntry) => occurredAt.toISOString() > (form['seen'] ?? '');
  const changes = await changesAmong(visit, latest === null ? [] : [latest], isSince, refused);
  const path = `${base}/automations/${id}`;
  return {
    title: `Automation ${name}`,
    ...{ current: 'More', live: [...campaignLive, 'customer'], version: seen },
    said: doneText(query['done']),
    main: html`<div class="head"><h1><bdi>${name}</bdi></h1>${automationMark(automation)}</div>
${refusal(refused, changes)}
<div class="columns"><div class="stack"><section class="card">${facts([
      ['When', triggerInWords(automation)],
      ['Delay', delayInWords(automation)],
      ['Only for', conditionsInWords(conditions) || 'All customers'],
      ['Quiet hours', quietInWords(automation)],
      ['Made', localDateTime(createdAt, timezone)],
    ])}</section>${textCard(texts.get(id), workshop)}</div>
<div class="stack"><section class="card">${forms(path, automation, seen)}</section>${await trailCard(visit, trail)}</div></div>
<div class="head"><h2>Runs</h2>${filterLinks(runFilters, path, filter)}</div>
${runs.length === 0 ? html`<p class="card quiet">None.</p>` : html`<section class="card"><ol class="story">${runs.map((run) => item(visit, run, people.get(run.customerId)))}</ol></section>`}${nextLink(runs, path, { filter })}
<p><a href="${base}/automations">All automations</a></p>`,
  };
}

function item({ workshop, base }: WorkshopVisit, run: RunRow, customer: RunCustomer | undefined): SafeHtml {
  const { id, dueAt, sentAt, bookingId } = run;
  const who =
    customer === undefined
      ? null
      : html`<a href="${base}/customers/${customer.keptId}">${nameShown(customer.name, workshop)}</a> `;
  const booking =
    bookingId === null ? null : html` · <a href="${base}/bookings/${bookingId}">The booking</a>`;
  return html`<li id="run-${id}"><p>${who}${runMark(run)}</p><p class="quiet">${localDateTime(sentAt ?? dueAt, workshop.timezone)}${booking}</p></li>`;
}

const forms = (path: string, { status }: AutomationRow, seen: string): SafeHtml =>
  status === 'active'
    ? campaignForm({
        ...{ action: `${path}/pause`, seen, name: 'Pause', kind: 'quiet' },
        about: 'While it is paused it sends nothing: what comes due is left out, and not made up for.',
      })
    : campaignForm({
        ...{ action: `${path}/resume`, seen, name: 'Resume' },
        about: 'It sends what comes due from then on.',
      });
