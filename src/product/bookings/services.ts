/** The services of a booking, filled from the workshop's catalogue, and the category that follows from them. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';
import { enrichItems, type StoredItem } from '#product/catalogue/enrich.ts';
import { categoryOf, type ServiceItem } from '#product/catalogue/item.ts';
import { readOffer } from '#product/catalogue/offer.ts';
import type { LockedBooking } from './change/store.ts';
import type { UpdateBookingBody } from './schema.ts';

/** The columns of a booking that hold its services. */
export interface ServiceColumns {
  readonly services: ServiceItem[];
  readonly serviceMinutes: readonly number[];
  readonly serviceCategory: ServiceCategory | null;
  readonly serviceCategoryDerived: boolean;
}

/** The category is the one that a request named; otherwise it follows from the services. */
export function newServices(stored: readonly StoredItem[], named: ServiceCategory | null): ServiceColumns {
  const columns = columnsOf(stored);
  return {
    ...columns,
    serviceCategory: named ?? categoryOf(columns.services),
    serviceCategoryDerived: named === null,
  };
}

/**
 * The services of a locked booking after an update, with the faults of sent items. An item that the booking already has stays as
 * stored.
 */
export async function nextServices(
  tx: Queryable,
  present: LockedBooking,
  body: Pick<UpdateBookingBody, 'services' | 'serviceCategory'>,
): Promise<{ readonly columns: ServiceColumns; readonly found: readonly FieldError[] }> {
  const { services, serviceCategory: category, workshopId } = present.booking;
  const { services: sent, serviceCategory: named } = body;
  const before = services.map((item, n) => ({ item, minutes: present.serviceMinutes[n] ?? 0 }));
  const { stored, found } =
    sent === undefined
      ? { stored: before, found: [] }
      : await enrichItems(sent ?? [], before, () => readOffer(tx, workshopId));

  const columns = columnsOf(stored);
  const derived = present.serviceCategoryDerived || category === null;
  const isCleared = named === null && category !== null;
  const isBehind = (named ?? null) === null && derived && !isDeepStrictEqual(columns.services, services);
  return {
    columns: {
      ...columns,
      serviceCategory: isCleared || isBehind ? categoryOf(columns.services) : (named ?? category),
      serviceCategoryDerived: named === undefined || named === category ? derived : named === null,
    },
    found,
  };
}

const columnsOf = (stored: readonly StoredItem[]) => ({
  services: stored.map(({ item }) => item),
  serviceMinutes: stored.map(({ minutes }) => minutes),
});
