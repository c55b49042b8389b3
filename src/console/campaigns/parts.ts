/** The parts that the pages of blasts and of automations have in common. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { type ButtonKind, button, buttons, hidden } from '#platform/pages/components.ts';
import type { Live } from '../frame/console-page.ts';
import { changeForm } from '../frame/form.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listedAtMost } from '../lists/table.ts';
import type { CampaignText } from './store.ts';

/** Changes of campaigns are settings; each text that goes is a message; what is left out or begins by its time has no hint. */
export const campaignLive: readonly Live[] = ['settings', 'message', 'clock'];

/** The last record of the previous page. */
export const beforeOf = ({ query: { before = '' } }: Pick<WorkshopVisit, 'query'>): string | null =>
  isId(before) ? before : null;

/** The link to the page after these rows; null: there is none. `query` stays as it is. */
export function nextLink(
  rows: readonly { readonly id: string }[],
  path: string,
  query: Readonly<Record<string, string>> = {},
): SafeHtml | null {
  const last = rows.at(-1);
  if (rows.length < listedAtMost || last === undefined) return null;
  const next = new URLSearchParams({ ...query, before: last.id }).toString();
  return html`<p><a class="button quiet" href="${path}?${next}">Next page</a></p>`;
}

/** The text as it is stored, with the names of what is filled in. */
export function textCard(text: CampaignText | undefined, workshop: WorkshopVisit['workshop']): SafeHtml {
  if (text === undefined)
    return html`<section class="card"><h2>Text</h2><p class="quiet">None.</p></section>`;
  return html`<section class="card"><h2>Text</h2><p class="quiet">Template <bdi>${textShown(text.name, workshop)}</bdi></p><blockquote class="sms message">${textShown(text.body, workshop)}</blockquote>
<p class="quiet">Where it says neither who sends it nor how to opt out, both are added.</p>${text.isPublished ? null : html`<p class="notice bad">The template is not published: nothing is sent with it.</p>`}</section>`;
}

export interface CampaignForm {
  readonly action: string;
  /** A digest of the values that the page shows, for the verb's `FormOf`. */
  readonly seen: string;
  readonly name: string;
  readonly kind?: ButtonKind;
  readonly about: string;
}

export const campaignForm = ({ action, seen, name, kind = 'primary', about }: CampaignForm): SafeHtml =>
  changeForm({
    action,
    body: html`${hidden('seen', seen)}<p class="quiet">${about}</p>${buttons(button(name, kind))}`,
  });

/** `1 customer`, `1,204 customers`. */
export const customers = (count: number): string =>
  count === 1 ? '1 customer' : `${count.toLocaleString('en')} customers`;
