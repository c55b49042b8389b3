/** The secret address of a workshop's calendar. Anybody who knows it sees the bookings, so only its digest is stored. */

import { createHash, randomBytes } from 'node:crypto';
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { type NewEntry, recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
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

/** Creates an address, and revokes the previous one. Throws OperatorError when there is no such workshop. */
export async function makeCalendar(
  context: ChangeContext,
  id: string,
  actor: Actor,
): Promise<CalendarAddress> {
  const { workshopId } = await requireWorkshop(context.db, id);
  const secret = `ptl_cal_${randomBytes(32).toString('base64url')}`;
  await change(context, async ({ tx, now: at }) => {
    await replaceCalendar(tx, workshopId, digestOf(secret), at);
    await recordEntry(tx, ofCalendar(workshopId, actor, 'calendarMade', at));
  });
  return { workshopId, path: `/calendar/${secret}.ics` };
}

/** Revokes the address. Throws OperatorError when there is no such workshop, or no address. */
export async function revokeCalendar(
  context: ChangeContext,
  id: string,
  actor: Actor,
): Promise<{ readonly workshopId: string }> {
  const { workshopId } = await requireWorkshop(context.db, id);
  await change(context, async ({ tx, now: at }) => {
    if (!(await deleteCalendar(tx, workshopId)))
      throw new OperatorError('the workshop has no calendar address');
    await recordEntry(tx, ofCalendar(workshopId, actor, 'calendarRevoked', at));
  });
  return { workshopId };
}

const ofCalendar = (workshopId: string, actor: Actor, done: string, at: Date): NewEntry => ({
  ...{ actor, workshopId, subject: { kind: 'workshop', id: workshopId }, action: `workshop.${done}`, at },
});
