/** A workshop's privacy notice, terms and cancellation policy, where one books and where one cancels. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Shop } from './shop.ts';

type Policies = Pick<Shop, 'privacyUrl' | 'termsUrl' | 'cancellationText'>;

/** Opens in a new tab, so that a half-filled form is not lost. */
const link = (href: string, label: string) =>
  html`<a href="${href}" target="_blank" rel="noopener noreferrer">${label}<span class="unseen"> (in a new tab)</span></a>`;

export function policyLinks({ privacyUrl, termsUrl }: Omit<Policies, 'cancellationText'>): SafeHtml[] {
  return [
    ...(termsUrl === null ? [] : [link(termsUrl, 'Terms')]),
    ...(privacyUrl === null ? [] : [link(privacyUrl, 'Privacy notice')]),
  ];
}

export function cancellationPolicy({
  cancellationText,
}: Pick<Policies, 'cancellationText'>): SafeHtml | null {
  if (cancellationText === null) return null;
  return html`<div class="policy"><p><strong>Cancelling</strong></p><p class="message">${cancellationText}</p></div>`;
}

/** Shown above the button that books. */
export function bookingPolicies(shop: Policies): SafeHtml {
  const [first, second] = policyLinks(shop);
  return html`${cancellationPolicy(shop)}${first ? html`<p class="policies">Please read: ${first}${second ? html` ${second}` : null}</p>` : null}`;
}
