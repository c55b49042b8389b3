/** The filters of a list, as links; one of them is current. */
import { html, type SafeHtml } from '@remix-run/html-template';

/** Filters in their order, by the value of the address's `filter`; the first is the default. */
export type Filters<Name extends string> = Readonly<Record<Name, string>>;

export function filterOf<Name extends string>(filters: Filters<Name>, typed: string | undefined): Name {
  const names = Object.keys(filters) as Name[];
  const [first] = names;
  if (first === undefined) throw new Error('a list has a filter');
  return names.find((name) => name === typed) ?? first;
}

export const filterLinks = <Name extends string>(
  filters: Filters<Name>,
  path: string,
  current: Name,
): SafeHtml =>
  html`<nav aria-label="Filters"><ul>${Object.entries<string>(filters).map(([name, label]) => html`<li><a href="${path}?filter=${name}"${name === current ? html` aria-current="page"` : null}>${label}</a></li>`)}</ul></nav>`;
