/** The secret address of a workshop's calendar. Whoever knows it sees the bookings, so only its digest is stored. */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { deleteCalendar, replaceCalendar } from './store.ts';

export interface CalendarAddress {
  readonly workshopId: string;
  /** The path below the service's public address. */
  readonly path: string;
}

/** The digest of a secret of 256 random bits needs no salt. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Creates an address, and revokes the one before. Throws OperatorError when there is no such workshop. */
export async function makeCalendar(db: Queryable, clock: Clock, id: string): Promise<CalendarAddress> {
  const { workshopId } = await requireWorkshop(db, id);
  const secret = `ptl_cal_${randomBytes(32).toString('base64url')}`;
  await replaceCalendar(db, workshopId, digestOf(secret), clock.now());
  return { workshopId, path: `/calendar/${secret}.ics` };
}

/** Revokes the address. Throws OperatorError when there is no such workshop, or when it has none. */
export async function revokeCalendar(db: Queryable, id: string): Promise<{ readonly workshopId: string }> {
  const { workshopId } = await requireWorkshop(db, id);
  if (!(await deleteCalendar(db, workshopId)))
    throw new OperatorError('the workshop has no calendar address');
  return { workshopId };
}
