/** A refusal as a page: what is wrong in a few words, and whom to call. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import type { Problem } from '#errors.ts';
import { linkButton } from './components.ts';
import type { Page } from './layout.ts';
import { plainPath, type Shop } from './shop.ts';

/** By status; another 4xx is shown as 400. */
const titles: Readonly<Record<number, string>> = {
  400: 'That did not work',
  403: 'This link can not be used',
  404: 'There is no such page',
  429: 'Too many tries',
  500: 'Something went wrong',
  503: 'Please try again in a moment',
};

/** The page where a visitor may book without the refused link. */
const elsewhere: ReadonlySet<number> = new Set([403, 404]);

/** `wayOn`: what is offered where there is no such page and its workshop is not known. */
export function errorPage(
  problem: Problem,
  shop: Shop | null,
  requestId: string,
  wayOn: SafeHtml | null = null,
): Page {
  const { status } = problem;
  const title = titles[status] ?? titles[400] ?? '';
  const text = refusalText(problem, 'Check the link: it may be incomplete, or what it led to is over.');
  return {
    title,
    shop,
    main: html`<h1>${title}</h1><p>${text}</p>${
      shop === null
        ? status === 404
          ? wayOn
          : null
        : html`${shop.plainPage && elsewhere.has(status) ? html`<p class="buttons">${linkButton('Book a time', plainPath(shop))}</p>` : null}<p>Please call ${shop.name}: they can help you.</p><p class="buttons">${linkButton(`Call ${nationalPhone(shop.phone)}`, `tel:${shop.phone}`)}</p>`
    }${status === 500 ? html`<p class="quiet">Reference: ${requestId}</p>` : null}`,
  };
}

/** The text of a refusal; `notFound`: the text of a page that does not exist. */
export function refusalText({ status, message, headers }: Problem, notFound: string): string {
  switch (status) {
    case 404:
      return notFound;
    case 429: {
      return `${message}. Try again in ${inWords(Number(headers['retry-after'] ?? 60))}.`;
    }
    case 500:
      return 'This is our fault, and it is recorded.';
    case 503:
      return 'There is too much to do right now.';
    default:
      return message;
  }
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds <= 5) return 'a moment';
  if (minutes === 1) return 'a minute';
  return minutes > 120 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`;
}
