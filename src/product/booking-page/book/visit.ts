/** A visit to the booking page: its link, if any, and the choices so far, which are in the address. */

import { parseInstant } from '#base/values/instant.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import type { PickerChoice } from '#platform/pages/time-picker.ts';
import { type ServiceCategory, serviceCategories } from '#product/catalogue/categories.ts';
import { type DescribedService, readCatalogue } from '#product/catalogue/store.ts';
import { type Asked, askedOf } from '#product/customer-pages/free-times.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
import { openLink, type Prefill } from '../link/link.ts';
import { findPageAccess, isOpenPage } from '../link/store.ts';

/** The choice: services of the catalogue, or a category. */
export type Wanted =
  | { readonly services: readonly [DescribedService, ...DescribedService[]] }
  | { readonly category: ServiceCategory };

/** The owner of the bookings that the page makes, and the values that it fills in. */
interface Way {
  /** The sealed link in its address form; empty: the plain page. */
  readonly k: string;
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  readonly prefill: Prefill;
}

export interface Visit extends Way, Asked {
  readonly shop: PageWorkshop;
  readonly services: readonly DescribedService[];
  /** Null: not chosen yet. */
  readonly wanted: Wanted | null;
  /** Whether the visitor is adding another service to those. */
  readonly isAdding: boolean;
  /** Null: not chosen yet, or not an instant. */
  readonly time: Date | null;
}

const servicesAtMost = 10;

type Needed = Pick<Context, 'db' | 'clock' | 'sealing'>;

/**
 * Throws 404 without a link if the workshop has no plain page, and 403 for a link that was changed, has expired or was revoked, or
 * that workshop or partner may not use now.
 */
export async function openVisit(context: Needed, shop: PageWorkshop, choice: Form): Promise<Visit> {
  const { k = '' } = choice;
  const way = k === '' ? plainWay(shop) : await wayOfLink(context, shop, k);
  const { services } = await readCatalogue(context.db, shop.workshopId);
  return {
    ...way,
    ...{ shop, services, wanted: wantedOf(choice, services), isAdding: choice['add'] !== undefined },
    time: parseInstant(choice['time'] ?? ''),
    ...askedOf(choice),
  };
}

function plainWay({ plainPage }: PageWorkshop): Way {
  if (!plainPage) throw new Problem('000002');
  return { k: '', partnerId: null, prefill: {} };
}

async function wayOfLink(
  { db, clock, sealing }: Needed,
  { workshopId }: PageWorkshop,
  k: string,
): Promise<Way> {
  const link = openLink({ sealing }, workshopId, k);
  const access = link && (await findPageAccess(db, { partnerId: link.partnerId, workshopId }));
  const isOpen =
    link &&
    access &&
    isOpenPage(access) &&
    access.version === link.version &&
    (link.expiresAt === null || link.expiresAt > clock.now());
  if (!isOpen) {
    throw new Problem('000003', { message: 'This link to book has ended, or is not complete.' });
  }
  return { k, partnerId: link.partnerId, prefill: link.prefill };
}

/** Services that are no longer offered are left out. */
function wantedOf(
  { service: ids = '', category: word }: Form,
  services: readonly DescribedService[],
): Wanted | null {
  const wanted = new Set(ids.split(','));
  const [first, ...others] = [...wanted].flatMap((id) => services.find(({ _id }) => _id === id) ?? []);
  if (first !== undefined) return { services: [first, ...others.slice(0, servicesAtMost - 1)] };
  const category = serviceCategories.find((each) => each === word);
  return category === undefined ? null : { category };
}

/** The link's own choice, for a visit that has not chosen yet. */
export function wantedByLink({ prefill, services }: Visit): Wanted | null {
  const { catalogId = '', serviceCategory = '' } = prefill;
  return wantedOf({ service: catalogId, category: serviceCategory }, services);
}

export const servicesOf = (wanted: Wanted | null): readonly DescribedService[] =>
  wanted !== null && 'services' in wanted ? wanted.services : [];

/** The services that can be added to the chosen ones. */
export function othersThan(wanted: Wanted | null, { services }: Visit): readonly DescribedService[] {
  const chosen = servicesOf(wanted);
  return chosen.length >= servicesAtMost ? [] : services.filter((service) => !chosen.includes(service));
}

/** The same wish with `service` replaced. */
export const withService = (wanted: Wanted | null, service: DescribedService): Wanted => {
  const [first = service, ...others] = [...servicesOf(wanted), service];
  return { services: [first, ...others] };
};

/** Without one of its services; null when it was the only one. */
export function withoutService(wanted: Wanted | null, service: DescribedService): Wanted | null {
  const [first, ...others] = servicesOf(wanted).filter((each) => each !== service);
  return first === undefined ? null : { services: [first, ...others] };
}

/** The query parameters of a choice. */
export function parametersOf(wanted: Wanted): Record<string, string> {
  return 'services' in wanted
    ? { service: wanted.services.map(({ _id }) => _id).join(',') }
    : { category: wanted.category };
}

/** The address of the page with these choices. */
export function hrefOf(
  { shop, k }: Pick<Visit, 'shop' | 'k'>,
  wanted: Wanted | null,
  choice: Partial<PickerChoice> & { readonly add?: string } = {},
): string {
  const parameters = new URLSearchParams({
    ...(k !== '' && { k }),
    ...(wanted && parametersOf(wanted)),
    ...choice,
  });
  return `/book/${shop.slug}${parameters.size > 0 ? '?' : ''}${parameters}`;
}
