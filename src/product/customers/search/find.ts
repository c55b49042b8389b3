/** Finds customers while a user types: by registration, phone, name or a booking's code. */
import type { Queryable } from '#platform/db/database.ts';
import { readAsked } from './asked.ts';
import {
  countTerms,
  type FoundBooking,
  type FoundCar,
  type FoundRow,
  findByTerms,
  type Wanted,
} from './found/store.ts';
import { beginningsOfSeveral, rareAtMost, rarestFirst } from './rarest.ts';

export const foundAtMost = 20;
/** A booking of today still counts as ahead after the car was brought. */
const aheadForMs = 12 * 60 * 60_000;

export interface Sought {
  readonly workshopId: string;
  /** As typed: up to 100 characters and 6 words, all of which must match. A word of fewer than 3 characters is a prefix. */
  readonly q: string;
  /** 1 to 20. */
  readonly limit: number;
  /** False: phones and e-mails are neither searched nor returned. */
  readonly seesPhones: boolean;
  /** Business time. */
  readonly now: Date;
}

export interface FoundCustomer {
  readonly customerId: string;
  /** Null: only a phone is known, and it may not be shown. */
  readonly name: string | null;
  /** E.164; null: none, or it may not be shown. */
  readonly phone: string | null;
  readonly email: string | null;
  /** The latest 20. */
  readonly cars: readonly FoundCar[];
  /** The one whose code was typed, else the next, else the latest; null: none. */
  readonly booking: FoundBooking | null;
}

/**
 * Best first: exact matches of registration, phone or code, then customers with a booking ahead, then the most recent. Empty when
 * there was nothing to search for. The number of results counts as customers shown to the person. Throws InvalidInput, field `q`.
 */
export async function findAsTyped(db: Queryable, sought: Sought): Promise<FoundCustomer[]> {
  const { workshopId, q, seesPhones, now } = sought;
  const probes = readAsked(q, seesPhones);
  if (probes.length === 0) return [];
  const limit = Math.max(1, Math.min(sought.limit, foundAtMost));
  const since = new Date(now.getTime() - aheadForMs);
  const rows = await findBest(db, { workshopId, probes, limit, since });
  return rows.map(({ customerId, name, phone, email, cars, ...row }) => {
    const { bookingId, bookingCode: code, bookingDate: date, bookingStatus: status } = row;
    const booking =
      bookingId === null || code === null || date === null || status === null
        ? null
        : { bookingId, code, date, status };
    return seesPhones
      ? { customerId, name, phone, email, cars, booking }
      : { customerId, name: name === phone ? null : name, phone: null, email: null, cars, booking };
  });
}

/** The ids of the best matches, up to `atMost`, to filter another list of the customers. Throws InvalidInput, field `q`. */
export async function findIdsAsTyped(
  db: Queryable,
  { workshopId, q, seesPhones }: Pick<Sought, 'workshopId' | 'q' | 'seesPhones'>,
  atMost: number,
): Promise<string[]> {
  const probes = readAsked(q, seesPhones);
  if (probes.length === 0) return [];
  const rows = await findBest(db, { workshopId, probes, limit: atMost, since: new Date(0) });
  return rows.map(({ customerId }) => customerId);
}

async function findBest(db: Queryable, wanted: Wanted): Promise<FoundRow[]> {
  const several = beginningsOfSeveral(wanted.probes);
  if (several.length === 0) return findByTerms(db, wanted);
  const counts = await countTerms(db, { ...wanted, probes: several }, rareAtMost);
  const byRarest = rarestFirst(wanted.probes, counts);
  const rows =
    byRarest === null || byRarest.length === 0 ? [] : await findByTerms(db, { ...wanted, probes: byRarest });
  return rows.length > 0 ? rows : findByTerms(db, wanted);
}
