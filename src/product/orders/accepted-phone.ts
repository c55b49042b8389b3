/** The faults that are checked after workshop and link: those of the phone and of services (specification: Availability 9). */

import { type FieldError, invalidFields } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import { readGate } from '#product/workshops/access/store.ts';

export interface PhoneOf {
  /** Null: the workshop itself. */
  readonly partnerId: string | null;
  readonly body: { readonly workshopId: string };
  /** E.164; null when it is invalid, or when there is no such workshop. */
  readonly phone: string | null;
  /** The faults of the phone. */
  readonly found?: readonly FieldError[];
}

/**
 * Returns the phone if neither it nor a service (`found`) has a fault. Throws, in this order, 404 030001, 403 000004 and 400
 * 000001.
 */
export async function acceptedPhone(
  db: Queryable,
  { partnerId, body, phone, found: judged = [] }: PhoneOf,
  found: readonly FieldError[],
): Promise<string> {
  const faults = [...judged, ...found];
  if (phone !== null && faults.length === 0) return phone;
  if (partnerId !== null) requireLink(await readGate(db, partnerId, body.workshopId));
  throw invalidFields(faults);
}
