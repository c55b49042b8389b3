/** The free times of a workshop, for its staff. */

import { InvalidInput } from '#base/operator-error.ts';
import { addDays } from '#base/values/local-day.ts';
import { parseTypedDay, typedDayForms } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { readMoveDays } from '#product/availability/places/moves.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';
import { newItems } from '#product/orders/services.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { needOf } from '../place.ts';
import { newServices } from '../services.ts';
import { typedServices } from './typed.ts';

/** As typed. */
export interface FreeTimesInput {
  /** The first day; default today. */
  readonly day?: string;
  /** The number of days, 1 to 7; default 1 with a day, else 7 from today on. */
  readonly days?: string;
  readonly service?: readonly string[];
  readonly serviceCategory?: string;
}

/** Calculated as if slots were enforced. Throws InvalidInput that names every bad option. */
export async function freeTimes(
  context: Pick<Context, 'db' | 'clock'>,
  { workshopId, timezone }: Pick<Workshop, 'workshopId' | 'timezone'>,
  input: FreeTimesInput,
): Promise<AvailabilityDay[]> {
  const { db, clock } = context;
  const now = clock.now();
  const errors: FieldError[] = [];
  const day = parseTypedDay(input.day ?? 'today', timezone, now);
  if (day === null) errors.push({ field: 'day', message: `must be ${typedDayForms}` });
  const days = Number(input.days ?? (input.day === undefined ? 7 : 1));
  if (!Number.isInteger(days) || days < 1 || days > 7)
    errors.push({ field: 'days', message: 'must be a whole number from 1 to 7' });
  const category = serviceCategories.find((one) => one === input.serviceCategory) ?? null;
  if (input.serviceCategory !== undefined && category === null)
    errors.push({ field: 'serviceCategory', message: `must be one of ${serviceCategories.join(', ')}` });
  if (day === null || errors.length > 0) throw new InvalidInput(errors);

  const sent = await typedServices(db, workshopId, input.service ?? []);
  const { stored } = await newItems(db, workshopId, sent);
  const need = needOf({ date: now, createdAt: now, ...newServices(stored, category) });
  return readMoveDays(context, { workshopId, need, own: null }, day, addDays(day, days - 1));
}
