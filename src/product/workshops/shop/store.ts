/** SQL of the workshop's data on its pages. */
import type { Shop } from '#platform/pages/shop.ts';
import { logoJson } from '../logo/store.ts';
import { hasPlainPage } from '../store.ts';

const expressions = (w: string): Readonly<Record<keyof Shop, string>> => ({
  name: `${w}.name`,
  slug: `${w}.slug`,
  plainPage: hasPlainPage(w),
  phone: `${w}.phone`,
  colour: `${w}.colour`,
  logo: logoJson(w),
  address: `${w}.address`,
  hours: `${w}.opening_hours`,
  privacyUrl: `${w}.privacy_url`,
  termsUrl: `${w}.terms_url`,
  cancellationText: `${w}.cancellation_text`,
  taxLabel: `${w}.tax_label`,
});

/** A `Shop` as pairs for `jsonb_build_object`, of a workshop row `w`. */
export function shopPairs(w: string): string {
  const pairs = Object.entries(expressions(w)).map(([name, sql]) => `'${name}', ${sql}`);
  return pairs.join(', ');
}
