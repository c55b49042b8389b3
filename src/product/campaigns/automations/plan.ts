/**
 * The planners of automations, in the relay's transaction: which events trigger, stop and move runs (specification: Automations 2
 * and 3).
 */

import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { cancel } from '#product/sending/hold/store.ts';
import { dueAfter, dueBefore, needsBooking } from './rules.ts';
import {
  type PlannedOfBooking,
  type PlannedOfSubject,
  plannedByBookings,
  plannedByCalls,
  plannedByReminders,
} from './runs/planned/store.ts';
import { insertRuns, type NewRun, type Stopped, stopRuns } from './runs/store.ts';
import type { TriggerType } from './schema.ts';

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
const subjectsOf = (events: readonly { readonly subjectId: string }[]) =>
  events.map(({ subjectId }) => subjectId);

/** Plans the runs that a booking's event triggers. */
function afterBooking(...types: readonly TriggerType[]): Planner {
  return async (tx, events, { clock }) => {
    const planned = await plannedByBookings(tx, idsOf(events), types, { ahead: false, despiteSilence: [] });
    const runs = planned.map(
      (each): NewRun => ({
        ...base(each),
        cause: `booking ${each.bookingId}`,
        bookingId: each.bookingId,
        dueAt: dueAfter(each, each.happenedAt),
        byPage: each.byPage,
      }),
    );
    await insertRuns(tx, runs, clock.now());
  };
}

const base = ({ workshopId, automationId, partnerId, customerId }: PlannedOfBooking | PlannedOfSubject) => ({
  id: newId(),
  ...{ workshopId, automationId, partnerId, customerId },
  ...({ bookingDate: null, referenceId: null, status: 'scheduled', reason: null, byPage: false } as const),
});

/** Plans the runs before a booking, for its present date. */
async function planAhead(
  tx: Queryable,
  eventIds: readonly string[],
  now: Date,
  despiteSilence: readonly string[] = [],
): Promise<void> {
  const planned = await plannedByBookings(tx, eventIds, ['beforeBooking'], { ahead: true, despiteSilence });
  const runs = planned.map((each): NewRun => {
    const { bookingId, bookingDate, byPage } = each;
    const { dueAt, isTooLate } = dueBefore(each, bookingDate, each.happenedAt);
    const late = isTooLate ? ({ status: 'skipped', reason: 'tooLate' } as const) : {};
    const cause = `booking ${bookingId} ${bookingDate.toISOString()}`;
    return { ...base(each), cause, bookingId, bookingDate, dueAt, byPage, ...late };
  });
  await insertRuns(tx, runs, now);
}

/** Stops runs; messages that are queued and not handed over are cancelled. */
async function stop(
  tx: Queryable,
  bookingIds: readonly string[],
  types: readonly TriggerType[],
  reason: string,
  { now, moved = false }: { readonly now: Date; readonly moved?: boolean },
): Promise<Stopped[]> {
  const stopped = await stopRuns(tx, bookingIds, types, reason, moved, now);
  await cancel(
    tx,
    stopped.filter(({ wasScheduled }) => !wasScheduled).map(({ runId }) => runId),
  );
  return stopped;
}

const afterCreation = afterBooking('bookingCreated', 'bookingConfirmed');
const afterCompletion = afterBooking('bookingCompleted');
const afterCancellation = afterBooking('bookingCancelled');

export const automateCreated: Planner = async (tx, events, ctx) => {
  await afterCreation(tx, events, ctx);
  await planAhead(tx, idsOf(events), ctx.clock.now());
};

export const automateConfirmed: Planner = afterBooking('bookingConfirmed');

/** A booking was moved: runs planned for the old date are planned for the new one, even when the move sent no notice. */
export const automateMoved: Planner = async (tx, events, { clock }) => {
  const now = clock.now();
  const stopped = await stop(tx, subjectsOf(events), ['beforeBooking'], 'bookingMoved', { now, moved: true });
  const waited = stopped.map(({ automationId, bookingId }) => `${automationId} ${bookingId}`);
  await planAhead(tx, idsOf(events), now, waited);
};

export const automateCompleted: Planner = async (tx, events, ctx) => {
  await stop(tx, subjectsOf(events), ['beforeBooking'], 'bookingCompleted', { now: ctx.clock.now() });
  await afterCompletion(tx, events, ctx);
};

export const automateCancelled: Planner = async (tx, events, ctx) => {
  await stop(tx, subjectsOf(events), needsBooking, 'bookingCancelled', { now: ctx.clock.now() });
  await afterCancellation(tx, events, ctx);
};

/** Plans the runs after a call or a reminder; each call or reminder is a cause. */
function afterSubject(
  word: string,
  read: (tx: Queryable, eventIds: readonly string[], now: Date) => Promise<PlannedOfSubject[]>,
): Planner {
  return async (tx, events, { clock }) => {
    const now = clock.now();
    const planned = await read(tx, idsOf(events), now);
    const runs = planned.map(
      (each): NewRun => ({
        ...base(each),
        cause: `${word} ${each.subjectId}`,
        bookingId: each.bookingId,
        dueAt: dueAfter(each, each.happenedAt),
      }),
    );
    await insertRuns(tx, runs, now);
  };
}

export const automateMissedCall: Planner = afterSubject('call', plannedByCalls);
export const automateSentReminder: Planner = afterSubject('reminder', plannedByReminders);
