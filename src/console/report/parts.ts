/** Parts of a report's sections: figures, and tables that unfold. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { amountText } from '#platform/pages/texts.ts';
import { count } from './names.ts';
import type { ReportTable } from './tables.ts';

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** An explanation; null: none. */
  readonly about: string | null;
  /** How it was before. */
  readonly before: string;
}

export const figures = (of: readonly Figure[]): SafeHtml =>
  html`<dl class="figures">${of.map(({ name, value, about, before }) => html`<div class="card"><dt>${name}</dt><dd class="figure">${value}</dd>${about === null ? null : html`<dd>${about}</dd>`}<dd class="quiet">${before}</dd></div>`)}</dl>`;

/** `120 before, 8 % more`. */
export function beside(now: number, before: number): string {
  const said = `${count(before)} before`;
  if (before === 0 || now === before) return said;
  const change = Math.round((Math.abs(now - before) / before) * 100);
  return `${said}, ${count(change)} % ${now > before ? 'more' : 'less'}`;
}

/** A table that unfolds, with the link to its file; null: it has no row. */
export function openedTable(table: ReportTable, country: string, csv: string): SafeHtml | null {
  if (table.rows.length === 0) return null;
  const { title, of, columns, rows, totals } = table;
  const shown = (value: number, n: number) =>
    columns[n]?.isMoney ? amountText(value, country) : count(value);
  const line = (label: string, values: readonly number[]) =>
    html`<tr><th scope="row"><bdi>${label}</bdi></th>${values.map((value, n) => html`<td>${shown(value, n)}</td>`)}</tr>`;
  return html`<details class="numbers"><summary>Table: ${title}</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><caption class="unseen">${title}</caption><thead><tr><th scope="col">${of}</th>${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(({ label, values }) => line(label, values))}</tbody>${totals === null ? null : html`<tfoot>${line('All', totals)}</tfoot>`}</table></div></details><p><a href="${csv}" download>Download as CSV<span class="unseen">: ${title}</span></a></p>`;
}
