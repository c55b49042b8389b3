/** /console/w/{slug}/blasts: the workshop's blasts, the newest first: when, to whom, which text, and how far each is. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { type BlastRow, listNewestBlasts } from '#product/campaigns/blasts/store.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { listedAtMost } from '../../lists/table.ts';
import { beforeOf, campaignLive, nextLink } from '../parts.ts';
import { type CampaignText, textsOfBlasts } from '../store.ts';
import { audienceInWords } from '../words.ts';
import { blastMark, progressOf } from './words.ts';

export async function blastList(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, base } = visit;
  const { workshopId } = workshop;
  const blasts = await listNewestBlasts(context.db, workshopId, beforeOf(visit), listedAtMost);
  const texts = await textsOfBlasts(
    context.db,
    workshopId,
    blasts.map(({ id }) => id),
  );
  return {
    title: 'Blasts',
    current: 'More',
    live: campaignLive,
    main: html`<h1>Blasts</h1>
${blasts.length === 0 ? html`<p class="card quiet">None yet.</p>` : html`<ul class="stack">${blasts.map((blast) => row(visit, blast, texts.get(blast.id)))}</ul>`}
${nextLink(blasts, `${base}/blasts`)}`,
  };
}

function row({ workshop, base }: WorkshopVisit, blast: BlastRow, text: CampaignText | undefined): SafeHtml {
  const { id, name, audience, scheduledAt, createdAt } = blast;
  const when = scheduledAt === null ? 'Made' : 'From';
  return html`<li class="card" id="blast-${id}"><p><strong><a href="${base}/blasts/${id}"><bdi>${textShown(name, workshop)}</bdi></a></strong> ${blastMark(blast)}</p>
<p>${when} ${localDateTime(scheduledAt ?? createdAt, workshop.timezone)} <span class="quiet">· ${audienceInWords(audience, workshop)}</span></p>
${text === undefined ? null : html`<p class="message quiet">${textShown(text.body, workshop)}</p>`}
<p>${progressOf(blast)}</p></li>`;
}
