/**
 * All benches, in the order in which they run and stand in `bench/results.md`. Those that share an installation are together;
 * the others start one of their own.
 */
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import { availabilityRows } from './availability.ts';
import { alone, type Bench, type Found, type Size } from './bench.ts';
import { blastRow } from './blasts.ts';
import { bloatOf, bloatTable } from './bloat.ts';
import { bookingRows } from './bookings.ts';
import type { BusyDesk } from './busy-desk.ts';
import { capacityTable } from './capacity.ts';
import { drainRow } from './drain.ts';
import { enforcedRows } from './enforced.ts';
import { findRow } from './find.ts';
import { firstSecond } from './first-second.ts';
import { freshRow } from './fresh.ts';
import { inboxRows } from './inbox.ts';
import { inboxLiveRow } from './inbox-live.ts';
import { kannelRow } from './kannel.ts';
import { lastPlaceRows } from './last-place.ts';
import { liveRow } from './live.ts';
import { memoryTables } from './memory.ts';
import { noticeLatencyRow } from './notices.ts';
import { poolerRows } from './pooler.ts';
import type { Row } from './report.ts';
import { reportRows } from './reports.ts';
import { sendRows, slowSendRows } from './sends.ts';
import type { SharedInstallation } from './shared.ts';
import { startNotes } from './start.ts';
import { todayRows } from './today.ts';
import { webhookRows } from './webhooks.ts';
import { workshopReportRows } from './workshop-report.ts';

export const benches: readonly Bench[] = [
  { name: 'bookings', what: 'creating and reading bookings, at 16 and 64 connections', run: bookingRows },
  { name: 'availability', what: 'free times of a busy week', run: availabilityRows },
  { name: 'last-place', what: '200 bookings of the last place at once', run: lastPlaceRows },
  { name: 'enforced', what: 'creating bookings where availability is enforced', run: alone(enforcedFound) },
  { name: 'fresh', what: 'creating bookings in a new database', run: alone(rowOf(freshRow)) },
  { name: 'sends', what: 'a partner’s messages, the gateway answers at once', run: sendRows },
  { name: 'kannel', what: 'the same through Kannel', run: kannelRow },
  { name: 'slow-sends', what: 'the same, the gateway takes 50 ms', run: slowSendRows },
  { name: 'drain', what: 'a worker that sends waiting notices', run: drainRow },
  { name: 'bloat', what: 'dead rows after 500,000 messages', run: bloatSection },
  { name: 'notices', what: 'from a booking’s commit to its SMS', run: alone(rowOf(noticeLatencyRow)) },
  { name: 'reports', what: 'a partner’s report over a million bookings', run: alone(rowsOf(yearRows)) },
  { name: 'webhooks', what: 'deliveries to partners’ endpoints', run: alone(rowsOf(webhookRows)) },
  { name: 'find', what: 'Find among 200,000 customers', run: alone(findFound) },
  { name: 'today', what: 'Today and Week of a busy workshop', run: alone(desk(todayRows)) },
  { name: 'workshop-report', what: 'its report', run: alone(desk(workshopReportRows)) },
  { name: 'inbox', what: 'the lists of 10,000 conversations', run: alone(inboxFound) },
  { name: 'live', what: 'hints of changes on open pages', run: alone(oneOf(liveRow)) },
  { name: 'pooler', what: 'requests through PgBouncer', run: alone(poolerFound) },
  { name: 'inbox-live', what: 'texts on the open pages of an inbox', run: alone(inboxLiveFound) },
  { name: 'blasts', what: 'a blast to 100,000, and what else is sent meanwhile', run: alone(blastFound) },
  { name: 'start', what: 'the time to be ready, idle memory', run: startNotes },
  { name: 'first-second', what: 'a process that has just started', run: alone(firstSecondSection) },
  { name: 'memory', what: 'what all processes take', run: alone(memorySection) },
  { name: 'capacity', what: 'what a request costs', isExtra: true, run: alone(capacitySection) },
];

function rowOf(measure: (size: Size) => Promise<Row>) {
  return async (size: Size): Promise<Found> => ({ rows: [await measure(size)] });
}

function rowsOf(measure: (size: Size) => Promise<readonly Row[]>) {
  return async (size: Size): Promise<Found> => ({ rows: await measure(size) });
}

function oneOf(measure: (size: Size) => Promise<{ row: Row; notes: string[] }>) {
  return async (size: Size): Promise<Found> => {
    const { row, notes } = await measure(size);
    return { rows: [row], notes };
  };
}

function desk(measure: (desk: BusyDesk) => Promise<readonly Row[]>) {
  return rowsOf((size) => measure({ ...size, bookings: 10_000 }));
}

function yearRows(size: Size) {
  return reportRows({ ...size, bookings: size.quick ? 50_000 : 1_000_000 });
}

async function enforcedFound(size: Size): Promise<Found> {
  return { rows: await enforcedRows({ ...size, bookings: size.quick ? 10_000 : 50_000 }) };
}

function findFound(size: Size) {
  return oneOf(() => findRow({ ...size, customers: size.quick ? 20_000 : 200_000 }))(size);
}

function inboxFound(size: Size): Promise<Found> {
  return inboxRows({ ...size, conversations: 10_000 });
}

function inboxLiveFound(size: Size) {
  return oneOf(() => inboxLiveRow({ conversations: 10_000, seconds: size.quick ? 10 : 25 }))(size);
}

function blastFound(size: Size) {
  const blast = size.quick ? { recipients: 10_000, seconds: 10 } : { recipients: 100_000, seconds: 45 };
  return oneOf(() => blastRow(blast))(size);
}

async function poolerFound(size: Size): Promise<Found> {
  const rows = await poolerRows(size);
  return typeof rows === 'string'
    ? { notes: [`Requests through a pooler were not measured: ${rows}.`] }
    : { rows };
}

async function bloatSection({ quick }: Size, shared: SharedInstallation): Promise<Found> {
  const messages = quick ? 20_000 : 500_000;
  const { db, clock } = await shared.running({ poolSize: 20 });
  const outbox = sandboxOutbox(db, clock);
  return { section: bloatTable(messages, await bloatOf({ db, outbox, clock }, messages)) };
}

async function capacitySection({ quick }: Size): Promise<Found> {
  return { section: await capacityTable({ seconds: quick ? 5 : 20 }) };
}

async function firstSecondSection(size: Size): Promise<Found> {
  return { section: await firstSecond(size) };
}

async function memorySection({ quick }: Size): Promise<Found> {
  return { section: await memoryTables({ seconds: quick ? 10 : 30 }) };
}
