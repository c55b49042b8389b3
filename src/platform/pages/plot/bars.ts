/** A list of names and numbers with a bar each; it is readable without the bars. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { barWidths } from './geometry.ts';

export interface Bar {
  readonly label: string;
  /** How long it is. */
  readonly value: number;
  /** The words at its end. */
  readonly said: string;
}

export async function barList(label: string, bars: readonly Bar[]): Promise<SafeHtml> {
  const widths = await barWidths(bars.map(({ value }) => value));
  return html`<ul class="plot-bars" aria-label="${label}">${bars.map((bar, n) => html`<li><span><bdi>${bar.label}</bdi></span> <b>${bar.said}</b><svg width="100%" height="12" aria-hidden="true" focusable="false"><rect width="${widths[n]}%" height="12" class="plot-solid"/></svg></li>`)}</ul>`;
}
