/** The services of a booking: up to three of the catalogue, and one in words. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Context } from '#platform/context.ts';
import { field, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { type Offer, refreshOffer } from '#product/catalogue/offer.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';

const names = ['service', 'service2', 'service3'] as const;
const labels = ['Service', 'Second service', 'Third service'] as const;

/** Codes of the catalogue, or titles, as they were chosen. */
export const typedServicesOf = (form: Form): string[] =>
  [...names.map((name) => form[name]), form['other']].flatMap((word) => word || []);

/** The longest title of a typed service, and the longest field, which several stored services may fill. */
const [titleAtMost, otherAtMost] = [255, 2_000];

/** Codes of the catalogue, and what is not in it as one text of a field. */
interface Shown {
  readonly codes: readonly string[];
  /** Titles that are not in the catalogue. */
  readonly others: readonly string[];
  readonly other: string;
  /** False: there are too many for the field. */
  readonly fits: boolean;
}

/** `chosen`: codes, ids or titles. */
function shownOf(offer: Offer | null, chosen: readonly string[]): Shown {
  const offered = [...(offer?.byCode.values() ?? [])];
  const codeOf = (word: string) =>
    offered.find(({ _id, catalogCode, title }) => [_id, catalogCode, title].includes(word))?.catalogCode;
  const others = chosen.filter((word) => codeOf(word) === undefined);
  const other = others.join(', ');
  const codes = chosen.flatMap((word) => codeOf(word) ?? []);
  return { codes, others, other, fits: other.length <= otherAtMost };
}

/**
 * The services of a booking that a form changes, of which it shows as many as it has fields for: what is not shown, or was left as it is
 * shown, stays. Null: they are left as they are. `stored`: codes or titles.
 */
export async function changedServices(
  { db }: Pick<Context, 'db'>,
  workshopId: string,
  form: Form,
  stored: readonly string[],
): Promise<readonly string[] | null> {
  if (![...names, 'other'].some((name) => form[name] !== undefined)) return null;
  const offer = await refreshOffer(db, workshopId);
  const { codes, others, other } = shownOf(offer, stored);
  const hasSelects = (offer?.byCode.size ?? 0) > 0;
  const chosen = hasSelects ? names.flatMap((name) => form[name] || []) : [];
  const text = hasSelects ? form['other'] : form['service'];
  const isLeft = text === undefined || text.trim() === other.trim();
  const next = [
    ...chosen,
    ...codes.slice(names.length),
    ...(isLeft ? others : [text.trim()].filter(Boolean)),
  ];
  return JSON.stringify(next) === JSON.stringify([...codes, ...others]) ? null : next;
}

/** `chosen`: codes, ids or titles. */
export async function serviceFields(
  { db }: Pick<Context, 'db'>,
  workshopId: string,
  chosen: readonly string[],
  refused: Refused | null,
): Promise<SafeHtml> {
  const offer = await refreshOffer(db, workshopId);
  const offered = [...(offer?.byCode.values() ?? [])].toSorted((one, other) =>
    one.title.localeCompare(other.title),
  );
  const { codes, others, other, fits } = shownOf(offer, chosen);
  const error = faultOf(refused, 'service');
  const text = (name: string, label: string) =>
    fits
      ? field({
          name,
          label,
          value: other,
          max: other.length > titleAtMost ? otherAtMost : titleAtMost,
          isUnmarked: true,
          ...(name === 'service' && { error }),
        })
      : html`<p class="quiet">${label}: ${other}</p>`;
  if (offered.length === 0) return text('service', 'Service');
  const options = [
    { value: '', label: '' },
    ...offered.map(({ catalogCode, title }) => ({ value: catalogCode, label: title })),
  ];
  const selects = names.map((name, n) =>
    select({
      name,
      label: labels[n] ?? '',
      value: codes[n] ?? '',
      options,
      isUnmarked: true,
      ...(n === 0 ? { error } : {}),
    }),
  );
  const more = codes.slice(names.length).map((code) => offer?.byCode.get(code)?.title ?? code);
  return html`${selects[0]}<details${codes.length > 1 || others.length > 0 ? html` open` : null}><summary>More services</summary><div class="stack">${selects.slice(1)}${more.length === 0 ? null : html`<p class="quiet">And: ${more.join(', ')}</p>`}${text('other', 'Other work')}</div></details>`;
}
