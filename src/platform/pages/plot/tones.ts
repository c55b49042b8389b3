/** Distinguishes the series of a plot by patterns, so that no colour is needed. */
import { html, type SafeHtml } from '@remix-run/html-template';

export type Tone = 'solid' | 'striped' | 'dotted' | 'outlined';

/** The pattern definitions: once a page, before its plots. */
export const plotPatterns = html`<svg class="plot-patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>
<pattern id="plot-striped" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" class="plot-pale"/><rect width="2.5" height="6" class="plot-solid"/></pattern>
<pattern id="plot-dotted" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" class="plot-pale"/><circle cx="3" cy="3" r="1.25" class="plot-solid"/></pattern>
</defs></svg>`;

/** Attributes of a shape in that tone. */
export function toned(tone: Tone): SafeHtml {
  return tone === 'striped' || tone === 'dotted'
    ? html`class="plot-edged" fill="url(#plot-${tone})"`
    : html`class="plot-${tone}"`;
}

/** The legend of a plot: each series with its tone and total. */
export const plotKey = (
  entries: readonly { readonly tone: Tone; readonly name: string; readonly value: string }[],
): SafeHtml =>
  html`<ul class="plot-key">${entries.map(({ tone, name, value }) => html`<li><svg width="14" height="14" aria-hidden="true" focusable="false"><rect x="1" y="1" width="12" height="12" ${toned(tone)}/></svg>${name} <b>${value}</b></li>`)}</ul>`;
