/** /u/{code}: the question whether a workshop's texts should stop, and what was done. It shows of the customer two digits alone. */
import { html } from '@remix-run/html-template';
import { button, buttons, notice } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
import type { FoundWayOut } from '../store.ts';
import { wayOutPath } from '../way-out.ts';

export interface ShownWayOut extends Pick<FoundWayOut, 'lastDigits' | 'isOptedOut' | 'version'> {
  readonly code: string;
  readonly shop: PageWorkshop;
  /** Whether texts about bookings stop too: where the law permits it, they go on. */
  readonly stopsNotices: boolean;
  /** Whether this browser may take the opt-out back. */
  readonly mayTakeBack: boolean;
}

export function wayOutPage(shown: ShownWayOut): Page {
  const { shop, version, isOptedOut } = shown;
  const state = `${version} ${isOptedOut}`;
  return { title: 'Stop texts', state, shop, main: isOptedOut ? stopped(shown) : ask(shown) };
}

const noticesGoOn = 'Texts about your bookings still come.';

function ask({ code, shop, lastDigits, stopsNotices }: ShownWayOut) {
  const numbered = `the number that ends in ${lastDigits}`;
  return html`<h1>Stop texts of ${shop.name}?</h1>
<p>${shop.name} then sends no more texts to ${numbered}. ${
    stopsNotices
      ? 'Texts about your bookings stop too: what changes there you get by e-mail, where the workshop has your address.'
      : noticesGoOn
  }</p>
<form method="post" action="${wayOutPath(code)}">
${buttons(button(`Stop texts of ${shop.name}`, 'danger'))}
</form>`;
}

function stopped({ code, shop, lastDigits, stopsNotices, mayTakeBack }: ShownWayOut) {
  return html`<h1>Texts are stopped</h1>
${notice('good', html`<p>${shop.name} sends no more texts to the number that ends in ${lastDigits}.${stopsNotices ? null : ` ${noticesGoOn}`}</p>`)}
${
  mayTakeBack
    ? html`<form method="post" action="${wayOutPath(code)}/undo">
${buttons(button('I did not mean it', 'quiet'))}
</form>`
    : html`<p class="quiet">To get texts again, tell the workshop.</p>`
}`;
}
