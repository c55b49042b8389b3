/** The refusal of a place: 409 060003 with its reason and the next free instants (specification: Availability 8). */

import { formatInstant } from '#base/values/instant.ts';
import type { Reason } from '#base/values/unavailable.ts';
import { Problem } from '#errors.ts';

/** In words for people. */
export const reasonInWords: Readonly<Record<Reason, string>> = {
  closed: 'The workshop is closed then, or closes before the work is done',
  custom: 'The workshop is closed then, other than usual',
  break: 'The workshop has a break then',
  past: 'This time has begun already',
  leadTime: 'The workshop takes no bookings at such short notice',
  horizon: 'The workshop takes no bookings so far ahead yet',
  serviceLimit: 'The workshop takes no more bookings of this service that day',
  categoryLimit: 'The workshop takes no more bookings of this category that day',
  full: 'No bay is free then',
};

/** `alternatives` are instants in milliseconds. */
export function noPlaceProblem(reason: Reason, alternatives: readonly number[]): Problem {
  const next = alternatives.map((at) => formatInstant(new Date(at)));
  const way =
    next.length > 0
      ? `free next: ${next.join(', ')}`
      : 'ask for another day with GET /workshops/{id}/availabilities';
  return new Problem('060003', {
    message: `${reasonInWords[reason]}; ${way}`,
    details: { reason, alternatives: next },
  });
}

export interface PlaceRefusal {
  readonly reason: Reason;
  /** The next free instants, RFC 3339. */
  readonly alternatives: readonly string[];
}

/** The content of a `noPlaceProblem`; null for another error. */
export function placeRefusalIn(error: unknown): PlaceRefusal | null {
  if (!(error instanceof Problem) || error.errorCode !== '060003') return null;
  const { reason = 'full', alternatives = [] } = (error.details ?? {}) as Partial<PlaceRefusal>;
  return { reason, alternatives };
}
