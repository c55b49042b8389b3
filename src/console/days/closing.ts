/** The forms that close bays and open them again, for the page of a day and of a week. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { field, type Html, hidden } from '#platform/pages/components.ts';
import type { Block } from '#product/availability/blocks/store.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { RefusedTool, ToolPage } from './tool-routes.ts';

type Place = Pick<ToolPage, 'path' | 'shownBy'>;

/** The fault of this form; null: none. */
export const refusedOf = (refused: RefusedTool | null, tool: RefusedTool['tool']): Refused | null =>
  refused?.tool === tool ? refused.refused : null;

/** `2 bays`, of closed ones. */
export const closedBays = ({ bays }: Pick<Block, 'bays'>): string =>
  bays === null ? 'All bays' : bays === 1 ? 'A bay' : `${bays} bays`;

/** The closed bays, each with a button that opens it again. `shown`: the day or week of the page, as in its address. */
export function reopenForms(
  { base, workshop }: WorkshopVisit,
  blocks: readonly Block[],
  { path, shownBy, shown }: Place & { readonly shown: string },
): SafeHtml {
  const at = (instant: Date) => localDateTime(instant, workshop.timezone);
  return html`${blocks.map((block) => {
    const { id, reason, from, until } = block;
    return html`<div class="closed"><p><strong>${closedBays(block)}</strong> ${textShown(reason, workshop)}<br><span class="quiet">${at(from)} – ${at(until)}</span></p>${changeForm({ action: `${base}/${path}/reopen`, body: html`${hidden('block', id)}${hidden(shownBy, shown)}<button class="button quiet">Open again</button>` })}</div>`;
  })}`;
}

/** Unfolded by its `name`. `day` and `whole` are the fields that say which day, and whether all of it. */
export function closeForm(
  { base, form }: WorkshopVisit,
  { path }: Pick<Place, 'path'>,
  { name, day, whole }: { readonly name: string; readonly day: Html; readonly whole: Html },
  refused: Refused | null,
): SafeHtml {
  return html`<details${refused ? html` open` : null}><summary>${name}</summary>${changeForm({
    action: `${base}/${path}/close`,
    body: html`${day}${field({ name: 'bays', label: 'How many bays', value: refused ? form['bays'] : '1', hint: 'A number, or all', isUnmarked: true, error: faultOf(refused, 'bays') })}
${field({ name: 'reason', label: 'Reason', value: refused ? form['reason'] : '', required: true, error: faultOf(refused, 'reason') })}
${whole}
<p class="buttons"><button class="button quiet">Close</button></p>`,
  })}</details>`;
}
