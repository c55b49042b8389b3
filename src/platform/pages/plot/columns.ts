/** A column chart over time with zero at its base line. A table beside it has the same numbers. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Column, labelSteps, type Series, stackedColumns } from './geometry.ts';
import { plotKey, type Tone, toned } from './tones.ts';

export interface Columns {
  /** The id of its elements, unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The label below each column, and its full name. */
  readonly labels: readonly { readonly short: string; readonly long: string }[];
  /** Round distances of labels. */
  readonly steps: readonly number[];
  /** From the base line up. */
  readonly series: readonly (Series & { readonly tone: Tone })[];
  /** Said where all is zero. */
  readonly empty: string;
}

const height = 200;
const top = 12;
const base = height - 28;
const axisWidth = 44;

const inWords = (value: number) => value.toLocaleString('en');

export async function columnsPlot(plot: Columns): Promise<SafeHtml> {
  const { id, title, labels, series, empty } = plot;
  const { columns, ticks } = await stackedColumns(series, { count: labels.length, top, base });
  const isEmpty = columns.every(({ segments }) => segments.length === 0);
  const sumOf = ({ values }: Series) => values.reduce((sum, value) => sum + value, 0);
  return html`<div class="plot"><svg class="plot-axis" width="${axisWidth}" height="${height}" aria-hidden="true" focusable="false">${ticks.map(({ value, y }) => html`<text x="${axisWidth - 8}" y="${y}" dy="4" text-anchor="end">${inWords(value)}</text>`)}</svg><svg class="plot-area" width="100%" height="${height}" role="img" aria-labelledby="${id}-title ${id}-desc" focusable="false"><title id="${id}-title">${title}</title><desc id="${id}-desc">${isEmpty ? empty : summary(plot)}</desc>${ticks.map(({ y }) => html`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="${y === base ? 'plot-base' : 'plot-line'}"/>`)}${columns.map((column, n) => drawn(column, n, plot))}${labelled(columns, plot)}${isEmpty ? html`<text x="50%" y="${(top + base) / 2}" text-anchor="middle">${empty}</text>` : null}</svg></div>${
    series.length < 2 ? null : plotKey(series.map((each) => ({ ...each, value: inWords(sumOf(each)) })))
  }`;
}

/** The tooltip with its numbers. */
function drawn({ x, width, segments }: Column, n: number, { labels, series }: Columns): SafeHtml | null {
  if (segments.length === 0) return null;
  const said = segments.map(
    ({ series: which }) => `${series[which]?.name} ${inWords(series[which]?.values[n] ?? 0)}`,
  );
  return html`<g><title>${labels[n]?.long}: ${said.join(', ')}</title>${segments.map((segment) => html`<rect x="${x}%" width="${width}%" y="${segment.y}" height="${segment.height}" ${toned(series[segment.series]?.tone ?? 'solid')}/>`)}</g>`;
}

/** Labels that do not fit on a phone have the class `plot-more`. */
function labelled(columns: readonly Column[], { labels, steps }: Columns): SafeHtml[] {
  const { wide, narrow } = labelSteps(columns.length, steps);
  return columns.flatMap(({ middle }, n) =>
    n % wide > 0
      ? []
      : html`<text x="${middle}%" y="${height - 8}" text-anchor="middle"${n % narrow > 0 ? html` class="plot-more"` : null}>${labels[n]?.short}</text>`,
  );
}

/** The highest column, and the total of each series. */
function summary({ labels, series }: Columns): string {
  const sums = labels.map((_, n) => series.reduce((sum, { values }) => sum + (values[n] ?? 0), 0));
  const most = Math.max(...sums);
  const where = labels[sums.indexOf(most)]?.long ?? '';
  const parts = series.map(
    ({ name, values }) => `${name} ${inWords(values.reduce((sum, value) => sum + value, 0))}`,
  );
  return `${parts.join(', ')}. Most: ${inWords(most)}, ${where}. The table below has all numbers.`;
}
