/** Sends the runs that are due by the business clock, or records why not; the schedule calls it. */

import { actors } from '#base/values/actor.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { boundLaterSms } from '#platform/pages/bounds/bound.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { bookingVariables, personVariables } from '#product/bookings/template-variables.ts';
import { enqueue, type NewMessage, pageCeiling } from '#product/sending/enqueue.ts';
import { keepWayOuts, type NewWayOut } from '#product/way-out/store.ts';
import { wayOutFor } from '#product/way-out/way-out.ts';
import { renderCampaign, unsent } from '../text.ts';
import { judge } from './rules.ts';
import { type DueRun, findDueRuns, holdDueRuns, type RunTurn, recordRunTurns } from './runs/due/store.ts';
import { deleteOldRuns } from './runs/store.ts';

const dayMs = 24 * 3_600_000;

/**
 * Several processes may run it at once: each run is locked by one of them, and its message is queued in the transaction that ends
 * the run.
 */
export const dueRuns: Pieces = {
  job: 'runAutomation',
  subject: 'runId',
  atOnce: 100,
  find: (db, now, atMost) => findDueRuns(db, dueRuns.job, now, atMost),
  async run(ctx, ids) {
    return change(ctx, ({ tx, now }) => runBatch(tx, ctx, ids, now));
  },
};

export const runAutomations = (ctx: Context): Promise<number> => workOff(ctx, dueRuns);

async function runBatch(tx: Queryable, ctx: Context, ids: readonly string[], now: Date): Promise<number> {
  const { config } = ctx;
  const due = await holdDueRuns(tx, now, ids);
  if (due.length === 0) return 0;
  const composed: Composed[] = [];
  const ways: NewWayOut[] = [];
  const turns = due.map((run): RunTurn => {
    const { id } = run;
    const nothing = { id, dueAt: null, messageId: null };
    const verdict = judge(judged(run), now);
    if (verdict.action === 'skip') return { ...nothing, status: 'skipped', reason: verdict.reason };
    if (verdict.action === 'wait')
      return { ...nothing, status: 'scheduled', reason: null, dueAt: verdict.dueAt };
    const { template, workshop, workshopId, phone } = run;
    const wayOut = wayOutFor(workshop, config);
    const rendered = renderCampaign(template.body, variablesOf(run), workshop, wayOut);
    if ('fault' in rendered) {
      const { state: status, reason } = unsent(rendered);
      return { ...nothing, status, reason };
    }
    composed.push({ run, message: messageOf(run, rendered.text, now) });
    if (wayOut.code !== null) ways.push({ code: wayOut.code, workshopId, phone: phone ?? '' });
    return { ...nothing, status: 'queued', reason: null };
  });
  await keepWayOuts(tx, ways, now);
  const messages = await withinPageBounds(tx, ctx, composed);
  const results = await enqueue(tx, messages, {
    now,
    actor: actors.schedule,
    exemptCountries: config.optOutExemptCountries,
  });
  const byRun = new Map(messages.map(({ causeId }, index) => [causeId, results[index]]));
  await recordRunTurns(
    tx,
    turns.map((turn) => {
      const queued = byRun.get(turn.id);
      if (queued === undefined) return turn;
      const { messageId, state } = queued;
      if (state === 'known') return { ...turn, status: 'skipped', reason: 'duplicate' };
      return state === 'queued'
        ? { ...turn, messageId }
        : { ...turn, status: 'skipped', reason: state, messageId };
    }),
    now,
  );
  return due.length;
}

interface Composed {
  readonly run: DueRun;
  readonly message: NewMessage;
}

/**
 * The messages, after the limits of pages were applied to those triggered on a page. Runs before a booking count only under the
 * customer's limit, since the workshop's places bound their number.
 */
async function withinPageBounds(
  tx: Queryable,
  ctx: Context,
  composed: readonly Composed[],
): Promise<NewMessage[]> {
  const byPage = composed.filter(({ run }) => run.byPage);
  const later = byPage.map(({ run, message }) => ({
    workshopId: run.bookingDate === null ? run.workshopId : null,
    country: run.workshop.country,
    phone: message.recipient,
  }));
  const mayGo = await boundLaterSms(tx, ctx, later);
  const withheld = new Set(byPage.filter((_, index) => mayGo[index] === false));
  return composed.map((each) =>
    withheld.has(each) ? { ...each.message, refusal: pageCeiling } : each.message,
  );
}

function judged(run: DueRun) {
  const { booking, template, workshop } = run;
  return {
    ...run,
    timezone: workshop.timezone,
    isPublished: template.isPublished,
    booking: booking && {
      status: booking.status,
      hasPhone: booking.customer.phone !== null,
      date: new Date(booking.date),
      categories: [booking.serviceCategory, ...booking.services.map(({ category }) => category)].filter(
        (category) => category !== null && category !== undefined,
      ),
    },
  };
}

function variablesOf({ booking, customer, workshop }: DueRun) {
  if (booking !== null) return bookingVariables(booking, workshop, 'sms');
  // A customer without a known name has the phone as name, which must not be used as a form of address.
  const { name = null, phone = null } = customer;
  return personVariables({ ...customer, name: name === phone ? '' : name }, workshop, 'sms');
}

function messageOf(run: DueRun, body: string, now: Date): NewMessage {
  const { id, workshopId, partnerId, customerId, phone, booking, bookingDate, template, quietHours } = run;
  // A text before a booking is not sent after the booking began.
  const waits =
    bookingDate === null ? {} : { waitsAtMostMs: Math.min(bookingDate.getTime() - now.getTime(), dayMs) };
  return {
    ...{
      kind: 'automation',
      channel: 'sms',
      audience: 'customer',
      causeId: id,
      workshopId,
      partnerId,
      customerId,
      body,
    },
    ...{ recipient: phone ?? '', bookingId: booking?.id ?? null, quietHours, ...waits },
    template: { id: template.id, version: template.version },
  };
}

/** Ended runs are kept as long as notices (`PITLANE_NOTICES_KEPT_DAYS`); runs with a referenceId are kept for ever. */
export async function purgeRuns({ db, clock, config }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.noticesKeptDays * dayMs);
  await deleteOldRuns(db, before);
}
