/** The greeting for a visitor who follows a reminder: first name and car, and no other personal data. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Prefill } from './link/link.ts';

/** Null for a visit without a reminder. */
export function greeting({ reminded }: Prefill): SafeHtml | null {
  if (reminded === undefined) return null;
  const { firstName, car } = reminded;
  return html`<p class="greeting">${firstName ? html`Hi <bdi>${firstName}</bdi>, your` : 'Your'} <bdi>${car ?? 'car'}</bdi> is due for a service.</p>`;
}
