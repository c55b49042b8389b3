/** /console/w/{slug}/automations and /blasts: the workshop's automations and blasts. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { listAutomations } from '#product/campaigns/automations/store.ts';
import { listBlasts } from '#product/campaigns/blasts/store.ts';
import { page, type WorkshopRoute } from '../frame/console-page.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listedAtMost, table } from './table.ts';

const afterOf = ({ query }: WorkshopVisit) => (isId(query['after'] ?? '') ? (query['after'] ?? null) : null);

const nextOf = (rows: readonly { readonly id: string }[], path: string) =>
  rows.length < listedAtMost ? null : `${path}?after=${rows.at(-1)?.id}`;

export const campaignLists: readonly WorkshopRoute[] = [
  page('automations', 'runWorkshop', async (visit) => {
    const { context, workshop, base } = visit;
    const rows = await listAutomations(context.db, workshop.workshopId, afterOf(visit), listedAtMost);
    const of = {
      head: ['Name', 'After', 'Status', 'Since'],
      rows: rows.map(({ name, type, status, createdAt }) => [
        ...[name, type, status, localDateTime(createdAt, workshop.timezone)],
      ]),
      next: nextOf(rows, `${base}/automations`),
      empty: 'None yet.',
    };
    return { title: 'Automations', current: 'More', main: html`<h1>Automations</h1>${table(of)}` };
  }),
  page('blasts', 'runWorkshop', async (visit) => {
    const { context, workshop, base } = visit;
    const rows = await listBlasts(context.db, workshop.workshopId, afterOf(visit), listedAtMost);
    const of = {
      head: ['Name', 'Status', 'Recipients', 'Sent', 'Failed', 'Made'],
      rows: rows.map(({ name, status, counts, createdAt }) => [
        ...[name, status, String(counts.recipients), String(counts.sent), String(counts.failed)],
        localDateTime(createdAt, workshop.timezone),
      ]),
      next: nextOf(rows, `${base}/blasts`),
      empty: 'None yet.',
    };
    return { title: 'Blasts', current: 'More', main: html`<h1>Blasts</h1>${table(of)}` };
  }),
];
