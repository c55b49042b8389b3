/** A visit to the booking page: the link that it came by, and what has been chosen so far, which stands in the address. */
import { type ServiceCategory, serviceCategories } from '#catalogue/categories.ts';
import { type DescribedService, readLinkedCatalogue } from '#catalogue/store.ts';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type Form, readDate } from '#pages/form.ts';
import type { PickerChoice } from '#pages/time-picker.ts';
import { parseInstant } from '#values/instant.ts';
import { type BookingLink, openLink } from '../link/link.ts';
import { findPageAccess } from '../link/store.ts';
import type { PageWorkshop } from '../store.ts';

/** What is wanted: a service of the catalogue, or work of a category. */
export type Wanted = { readonly service: DescribedService } | { readonly category: ServiceCategory };

export interface Visit {
  readonly shop: PageWorkshop;
  readonly link: BookingLink;
  /** The sealed link, as it stands in addresses. */
  readonly k: string;
  readonly services: readonly DescribedService[];
  /** Null: not chosen yet. */
  readonly wanted: Wanted | null;
  /** Null: not chosen yet, or no instant. */
  readonly time: Date | null;
  /** The week and the day that are looked at. */
  readonly from: string | undefined;
  readonly day: string | undefined;
}

/** Throws 404 without a link, and 403 for one that was changed, has expired or was revoked, or that the workshop or partner may not use now. */
export async function openVisit(
  { db, clock, sealing }: Pick<Context, 'db' | 'clock' | 'sealing'>,
  shop: PageWorkshop,
  choice: Form,
): Promise<Visit> {
  const { k = '' } = choice;
  if (k === '') throw new Problem('000002');
  const { workshopId } = shop;
  const link = openLink({ sealing }, workshopId, k);
  const access = link && (await findPageAccess(db, { partnerId: link.partnerId, workshopId }));
  const isOpen =
    access?.linkActive &&
    access.partnerActive &&
    access.bookingPage &&
    access.version === link?.version &&
    (link.expiresAt === null || link.expiresAt > clock.now());
  if (!link || !isOpen) {
    throw new Problem('000003', { message: 'This link to book has ended, or is not complete.' });
  }
  const catalogue = await readLinkedCatalogue(db, link.partnerId, workshopId);
  const services = catalogue?.services ?? [];
  const time = parseInstant(choice['time'] ?? '');
  return {
    ...{ shop, link, k, services, time },
    wanted: wantedOf(choice, services),
    from: readDate(choice['from']),
    day: readDate(choice['day']),
  };
}

/** A service that is no longer offered is not chosen. */
function wantedOf(
  { service: id, category: word }: Form,
  services: readonly DescribedService[],
): Wanted | null {
  const service = services.find(({ _id }) => _id === id);
  if (service !== undefined) return { service };
  const category = serviceCategories.find((each) => each === word);
  return category === undefined ? null : { category };
}

/** What the link itself chooses, for a visit that has chosen nothing. */
export function wantedByLink({ link, services }: Visit): Wanted | null {
  const { catalogId = '', serviceCategory = '' } = link.prefill;
  return wantedOf({ service: catalogId, category: serviceCategory }, services);
}

/** The parameters that name what is wanted. */
export function parametersOf(wanted: Wanted): Record<string, string> {
  return 'service' in wanted ? { service: wanted.service._id } : { category: wanted.category };
}

/** The address of the page with these choices. */
export function hrefOf(
  { shop, k }: Pick<Visit, 'shop' | 'k'>,
  wanted: Wanted | null,
  choice: Partial<PickerChoice> = {},
): string {
  const parameters = new URLSearchParams({ k, ...(wanted && parametersOf(wanted)), ...choice });
  return `/book/${shop.slug}?${parameters}`;
}
