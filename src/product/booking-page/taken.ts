/** The message that a time is no longer free, with the next free ones. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { focused } from '#platform/pages/components.ts';
import { placeRefusalIn } from '#product/availability/places/refuse.ts';

/** The next free times: instants as the API returns them. */
export type Alternatives = readonly string[];

/** The alternatives of a refusal without a free place (060003); null for another error. */
export function alternativesOf(error: unknown): Alternatives | null {
  return placeRefusalIn(error)?.alternatives ?? null;
}

export function takenNotice(
  alternatives: Alternatives,
  timezone: string,
  hrefOf: (time: string) => string,
): SafeHtml {
  const links = alternatives.map(
    (time) =>
      html`<li><a href="${hrefOf(time)}" data-swap>${localDateTime(new Date(time), timezone)}</a></li>`,
  );
  return focused(
    html`<p><strong>That time is not free any more.</strong> ${links.length > 0 ? 'These are:' : 'Please choose another.'}</p>${links.length > 0 ? html`<ul>${links}</ul>` : null}`,
  );
}
