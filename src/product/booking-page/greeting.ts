/** How a page greets whom the workshop has reminded: by first name and car, and nothing that names or reaches the person further. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Prefill } from './link/link.ts';

/** Null for a visit that no reminder led to. */
export function greeting({ reminded }: Prefill): SafeHtml | null {
  if (reminded === undefined) return null;
  const { firstName, car } = reminded;
  return html`<p class="greeting">${firstName ? html`Hi <bdi>${firstName}</bdi>, your` : 'Your'} <bdi>${car ?? 'car'}</bdi> is due for a service.</p>`;
}
