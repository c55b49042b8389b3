/** The services of a booking: up to three of the catalogue, and one in words. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Context } from '#platform/context.ts';
import { field, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';

const names = ['service', 'service2', 'service3'] as const;
const labels = ['Service', 'Second service', 'Third service'] as const;

/** Codes of the catalogue, or titles, as they were chosen. */
export const typedServicesOf = (form: Form): string[] =>
  [...names.map((name) => form[name]), form['other']].flatMap((word) => word || []);

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
  const codeOf = (word: string) =>
    offered.find(({ _id, catalogCode, title }) => [_id, catalogCode, title].includes(word))?.catalogCode;
  const codes = chosen.flatMap((word) => codeOf(word) ?? []);
  const others = chosen.filter((word) => codeOf(word) === undefined);
  const error = faultOf(refused, 'service');
  if (offered.length === 0)
    return field({ name: 'service', label: 'Service', value: chosen.join(', '), isUnmarked: true, error });
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
  return html`${selects[0]}<details${codes.length > 1 || others.length > 0 ? html` open` : null}><summary>More services</summary><div class="stack">${selects.slice(1)}${field({ name: 'other', label: 'Other work', value: others.join(', '), isUnmarked: true })}</div></details>`;
}
