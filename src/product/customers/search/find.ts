/** Finds customers while a user types: by registration, phone, name or a booking's code. */
import type { Queryable } from '#platform/db/database.ts';
import { readAsked } from './asked.ts';
import { countTerms } from './counted/store.ts';
import {
  type FoundBooking,
  type FoundCar,
  type FoundRow,
  findByTerms,
  termsAtMost,
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

export interface Found {
  /**
   * Best first: exact matches of registration, phone or code, then customers with a booking ahead, then the most recent. Empty when
   * there was nothing to search for.
   */
  readonly customers: readonly FoundCustomer[];
  /** False: so much begins like that that not all of it was read, and others may match too. More letters are needed. */
  readonly isWhole: boolean;
}

/** Reads at most 20,000 rows of terms. Throws InvalidInput, field `q`. */
export async function findAsTyped(db: Queryable, sought: Sought): Promise<Found> {
  const { workshopId, q, seesPhones, now } = sought;
  const probes = readAsked(q, seesPhones);
  if (probes.length === 0) return { customers: [], isWhole: true };
  const limit = Math.max(1, Math.min(sought.limit, foundAtMost));
  const since = new Date(now.getTime() - aheadForMs);
  const { rows, isWhole } = await findBest(db, { workshopId, probes, limit, since });
  const customers = rows.map(({ customerId, name, phone, email, cars, ...row }) => {
    const { bookingId, bookingCode: code, bookingDate: date, bookingStatus: status } = row;
    const booking =
      bookingId === null || code === null || date === null || status === null
        ? null
        : { bookingId, code, date, status };
    return seesPhones
      ? { customerId, name, phone, email, cars, booking }
      : { customerId, name: name === phone ? null : name, phone: null, email: null, cars, booking };
  });
  return { customers, isWhole };
}

export interface FoundIds extends Pick<Found, 'isWhole'> {
  readonly customerIds: readonly string[];
}

/** The ids of the best matches, up to `atMost`, to filter another list of the customers. Throws InvalidInput, field `q`. */
export async function findIdsAsTyped(
  db: Queryable,
  { workshopId, q, seesPhones }: Pick<Sought, 'workshopId' | 'q' | 'seesPhones'>,
  atMost: number,
): Promise<FoundIds> {
  const probes = readAsked(q, seesPhones);
  if (probes.length === 0) return { customerIds: [], isWhole: true };
  const { rows, isWhole } = await findBest(db, { workshopId, probes, limit: atMost, since: new Date(0) });
  return { customerIds: rows.map(({ customerId }) => customerId), isWhole };
}

interface Best {
  readonly rows: readonly FoundRow[];
  readonly isWhole: boolean;
}

/** By the rarest word where there is one, and where that finds nobody by all of them, also by parts. */
async function findBest(db: Queryable, wanted: Wanted): Promise<Best> {
  const several = beginningsOfSeveral(wanted.probes);
  const counts = several.length === 0 ? [] : await countTerms(db, { ...wanted, probes: several }, rareAtMost);
  let left = termsAtMost - counts.reduce((sum, { count }) => sum + count, 0);
  async function find(probes: Wanted['probes']): Promise<Best> {
    const { rows, termsRead } = await findByTerms(db, { ...wanted, probes }, left);
    left -= termsRead;
    return { rows, isWhole: left > 0 };
  }
  const byRarest = rarestFirst(wanted.probes, counts) ?? [];
  const found = byRarest.length === 0 ? null : await find(byRarest);
  return found === null || (found.rows.length === 0 && found.isWhole) ? find(wanted.probes) : found;
}
