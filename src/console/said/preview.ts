/** The preview of a text: its segments, and warnings; of one that is too long only these. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { previewText } from '#product/messaging/preview.ts';

export function previewCard(typed: string): SafeHtml | null {
  const { text, parts, warnings, outsideGsm, tooLong } = previewText(typed);
  if (text === '') return null;
  const notes = [
    ...(outsideGsm.length > 0
      ? [`segments are shorter with ${outsideGsm.slice(0, 10).join(' ')} in them`]
      : []),
    ...warnings,
  ];
  return html`<section class="card" aria-label="Preview"><h3>Preview</h3><ol class="story">${(tooLong ? [] : parts).map((part) => html`<li><p class="message">${part}</p></li>`)}</ol>${notes.map((note) => html`<p class="quiet">${note.charAt(0).toUpperCase() + note.slice(1)}.</p>`)}</section>`;
}
