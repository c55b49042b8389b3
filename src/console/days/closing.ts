/** The forms that close bays and open them again, for the page of a day and of a week. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { field, type Html, hidden } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Block } from '#product/availability/blocks/store.ts';
import { changeForm, enterButton, faultOf } from '../frame/form.ts';
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
    const { id, reason, from, until, seriesId } = block;
    return html`<div class="closed"><p><strong>${closedBays(block)}</strong> ${textShown(reason, workshop)}<br><span class="quiet">${at(from)} – ${at(until)}</span></p>${changeForm({ action: `${base}/${path}/reopen`, body: html`${hidden('block', id)}${hidden(shownBy, shown)}<button class="button quiet">Open again</button>${seriesId === null ? null : html` <button class="button quiet" name="series" value="yes">Open all of its series</button>`}` })}</div>`;
  })}`;
}

interface CloseForm {
  readonly name: string;
  /** The fields that say when. */
  readonly when: Html;
  /** Below the reason. */
  readonly below?: Html;
  /** The form's id, for what follows its fields. */
  readonly id?: string;
  /** The values that were typed and sent; absent: none. */
  readonly typed?: Form;
}

/** Unfolded by its `name`, and once something was typed. */
export function closeForm(
  { base, form }: WorkshopVisit,
  { path }: Pick<Place, 'path'>,
  { name, when, below = null, id, typed }: CloseForm,
  refused: Refused | null,
): SafeHtml {
  const values = refused ? form : typed;
  return html`<details${values ? html` open` : null}><summary>${name}</summary>${changeForm({
    ...{ action: `${base}/${path}/close`, ...(id && { id }) },
    body: html`${enterButton}${when}${field({ name: 'bays', label: 'How many bays', value: values?.['bays'] ?? '1', hint: 'A number, or all', isUnmarked: true, error: faultOf(refused, 'bays') })}
${field({ name: 'reason', label: 'Reason', value: values?.['reason'] ?? '', required: true, error: faultOf(refused, 'reason') })}
${below}
<p class="buttons"><button class="button quiet">Close</button></p>`,
  })}</details>`;
}
