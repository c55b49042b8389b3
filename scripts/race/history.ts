/** What the race asked and was told: which booking may have had a place when, and which wishes were refused. */
import type { ReferenceBooking, ReferenceWish } from '../../test/fixtures/availability-reference.ts';

/** A booking's place, and the time in which it may have had it: from the request that took it to the end of the one that freed it. */
export interface Held extends ReferenceBooking {
  readonly bookingId: string;
  readonly since: number;
  freedBy: number;
}

export interface Refused {
  /** The booking that was to change; null: a new one. */
  readonly bookingId: string | null;
  readonly wish: ReferenceWish;
  readonly instant: number;
  readonly reason: string;
  /** When the request was sent, and when it was answered. */
  readonly since: number;
  readonly until: number;
}

export interface History {
  readonly held: Held[];
  readonly refused: Refused[];
  /** How many requests were answered with each status and code. */
  readonly answers: Map<string, number>;
}

export const emptyHistory = (): History => ({ held: [], refused: [], answers: new Map() });

/** The bookings that may have had a place at some time of a refused request, but the one that it was about. */
export function possibleRivals({ held }: History, { bookingId, since, until }: Refused): Held[] {
  return held.filter((each) => each.bookingId !== bookingId && each.since <= until && each.freedBy >= since);
}
