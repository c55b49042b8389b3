/** /console/w/{slug}/automations: the workshop's automations, the newest first: when each sends, to whom, and which text. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type AutomationRow, listNewestAutomations } from '#product/campaigns/automations/store.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { listedAtMost } from '../../lists/table.ts';
import { beforeOf, campaignLive, nextLink } from '../parts.ts';
import { type CampaignText, textsOfAutomations } from '../store.ts';
import { conditionsInWords, delayInWords, triggerInWords } from '../words.ts';
import { automationMark } from './words.ts';

export async function automationList(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, base } = visit;
  const { workshopId } = workshop;
  const automations = await listNewestAutomations(context.db, workshopId, beforeOf(visit), listedAtMost);
  const texts = await textsOfAutomations(
    context.db,
    workshopId,
    automations.map(({ id }) => id),
  );
  return {
    title: 'Automations',
    current: 'More',
    live: campaignLive,
    main: html`<h1>Automations</h1>
${automations.length === 0 ? html`<p class="card quiet">None yet.</p>` : html`<ul class="stack">${automations.map((automation) => row(visit, automation, texts.get(automation.id)))}</ul>`}
${nextLink(automations, `${base}/automations`)}`,
  };
}

function row(
  { workshop, base }: WorkshopVisit,
  automation: AutomationRow,
  text: CampaignText | undefined,
): SafeHtml {
  const { id, name, conditions } = automation;
  const onlyFor = conditionsInWords(conditions);
  return html`<li class="card" id="automation-${id}"><p><strong><a href="${base}/automations/${id}"><bdi>${textShown(name, workshop)}</bdi></a></strong> ${automationMark(automation)}</p>
<p>${triggerInWords(automation)}, ${delayInWords(automation)}${onlyFor === '' ? null : html` <span class="quiet">· only for ${onlyFor}</span>`}</p>
${text === undefined ? null : html`<p class="message quiet">${textShown(text.body, workshop)}</p>`}</li>`;
}
