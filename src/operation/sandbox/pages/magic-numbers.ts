/** The page's table of magic numbers, which have a fixed outcome. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { magicNumbers } from '#platform/gateways/sms/sandbox.ts';

const outcomes: Readonly<Record<keyof typeof magicNumbers, string>> = {
  refusedForGood: 'Refused for good.',
  refusedOnce: 'Refuses each message once, for now; the next attempt is accepted.',
  neverAnswers: 'Never answers: after 10 seconds the outcome is unknown.',
  undelivered: 'Accepted, then reported undelivered.',
  slow: 'Accepted after 2 seconds.',
  landline: 'A landline: refused for good, as carriers do.',
};

/** `+61491570156` → `0491 570 156`, `+61355500159` → `03 5550 0159` */
const national = (phone: string) =>
  phone
    .replace(/^\+61(4\d{2})(\d{3})(\d{3})$/, '0$1 $2 $3')
    .replace(/^\+61([2378])(\d{4})(\d{4})$/, '0$1 $2 $3');

export function magicNumbersCard(): SafeHtml {
  const names = Object.keys(outcomes) as (keyof typeof magicNumbers)[];
  const rows = names.map(
    (name) => html`<tr><th scope="row">${national(magicNumbers[name])}</th><td>${outcomes[name]}</td></tr>\n`,
  );
  return html`<details class="card" id="numbers">
<summary><h2>Numbers to try</h2></summary>
<p class="quiet">An SMS to one of these has the outcome named here. All other numbers accept.</p>
<table><thead class="unseen"><tr><th scope="col">Number</th><th scope="col">Outcome</th></tr></thead>
<tbody>${rows}</tbody></table>
</details>`;
}
