/** The place of a booking, found the slow way. */
import {
  dateOf,
  type ReferenceBooking,
  type ReferenceWorkshop,
  referenceDay,
} from '../../test/fixtures/availability-reference.ts';

const minute = 60_000;
const anything = { services: [], category: null };

export function placeOf(
  workshop: ReferenceWorkshop,
  instant: number,
  services: readonly string[],
): ReferenceBooking {
  const { slots } = referenceDay(workshop, [], anything, dateOf(instant, workshop.timezone), 0);
  const from = slots.findLast(({ start, end }) => start <= instant && instant < end)?.start ?? instant;
  const wanted = services.flatMap((id) => workshop.services.filter((service) => service.id === id));
  const minutes = wanted.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  return {
    ...{ from, until: from + Math.max(workshop.slotMinutes, minutes) * minute },
    ...{ services: wanted.map(({ id, category }) => ({ id, category })), category: null },
  };
}
