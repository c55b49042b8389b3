/** The page's table of magic numbers, which have a fixed outcome. */
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

/** Table rows: the number and its outcome. The texts need no escaping in HTML. */
export function magicNumberRows(): string {
  const names = Object.keys(outcomes) as (keyof typeof magicNumbers)[];
  return names
    .map((name) => `<tr><th scope="row">${national(magicNumbers[name])}</th><td>${outcomes[name]}</td></tr>`)
    .join('\n');
}
