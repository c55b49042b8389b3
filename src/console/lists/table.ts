/** A table of a list, and the link to its next page. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Html } from '#platform/pages/components.ts';

export interface Listed {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Html[])[];
  /** The address of the next page; null: there is none. */
  readonly next: string | null;
  /** The text for an empty table. */
  readonly empty: string;
}

export function table({ head, rows, next, empty }: Listed): SafeHtml {
  if (rows.length === 0) return html`<p class="card quiet">${empty}</p>`;
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="The list"><table class="list"><thead><tr>${head.map((name) => (name === '' ? html`<td></td>` : html`<th scope="col">${name}</th>`))}</tr></thead><tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>${next === null ? null : html`<p><a class="button quiet" href="${next}">Next page</a></p>`}`;
}

export const listedAtMost = 50;
