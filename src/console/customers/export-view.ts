/** An export for people: a heading for each section, and each row as terms with their values. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import type { Part } from '#operation/export/export-customer.ts';
import type { Row } from '#operation/export/store.ts';
import { facts } from '#platform/pages/components.ts';

/** Yields HTML piece by piece, as the parts are read. */
export async function* exportHtml(parts: AsyncIterable<Part>, timezone: string): AsyncGenerator<string> {
  for await (const { section, rows, isFirst } of parts) {
    const empty = isFirst && rows.length === 0 ? html`<p class="quiet">Nothing.</p>` : null;
    yield String(
      html`${isFirst ? html`<h2>${section.title}</h2>` : null}${empty}${rows.map((row) => rowShown(row, timezone))}`,
    );
  }
}

const rowShown = (row: Row, timezone: string): SafeHtml =>
  html`<section class="card">${facts(
    Object.entries(row).map(([name, value]) => [inWords(name), valueShown(value, timezone)] as const),
  )}</section>`;

/** `contactName` → `Contact name`. */
function inWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueShown(value: unknown, timezone: string): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return localDateTime(value, timezone);
  if (Array.isArray(value)) return value.map((each) => valueShown(each, timezone)).join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== '')
    .map(([name, inner]) => `${inWords(name)}: ${valueShown(inner, timezone)}`)
    .join('; ');
}
