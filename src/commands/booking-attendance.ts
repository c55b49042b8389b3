/** `pitlane booking attendance|ready`: whether the customer has come, and that the car is ready. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { withSession } from './session.ts';
import { verb } from './verb.ts';

export function registerAttendance(booking: Command): void {
  const attendance = {
    usage: 'attendance <booking> <state>',
    summary:
      'say whether the customer has come: expected, here, ready, collected or didNotCome; the booking stays as it is',
    examples: ['booking attendance 7K3M9QXW here', 'booking attendance 7K3M9QXW didNotCome'],
  };
  verb(booking, attendance, ([idOrCode = '', typed = '']) =>
    withSession(async ({ db, clock }) => {
      const { bookingRecord } = await import('#product/bookings/record.ts');
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { readAttendanceState, setAttendance } = await import('#product/bookings/staff/attendance.ts');
      const state = readAttendanceState(typed);
      const { id: bookingId, workshopId, code } = await requireRecord(db, bookingRecord, idOrCode);
      const change = { workshopId, bookingId, state, actor: actors.operator };
      const { before } = await setAttendance({ db, clock }, change);
      return { json: { bookingId, state, before }, text: `booking ${code}: ${state} (before: ${before})` };
    }),
  );
}

interface ReadyFlags {
  readonly silent?: true;
  readonly again?: true;
  readonly text?: string;
}

export function registerReady(booking: Command): void {
  const ready = {
    usage: 'ready <booking>',
    summary: 'mark the car ready; the customer is texted, once',
    examples: ['booking ready 7K3M9QXW', 'booking ready 7K3M9QXW --silent'],
  };
  verb<ReadyFlags>(booking, ready, ([idOrCode = ''], { silent, again, text }) =>
    withSession(async ({ db, clock, config }) => {
      const { bookingRecord } = await import('#product/bookings/record.ts');
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { markReady } = await import('#product/bookings/staff/ready.ts');
      const { notToldInWords } = await import('#product/bookings/staff/telling.ts');
      const { id: bookingId, workshopId, code } = await requireRecord(db, bookingRecord, idOrCode);
      const context = { db, clock, config };
      const marked = await markReady(context, {
        ...{ workshopId, bookingId, actor: actors.operator, tellCustomer: silent !== true },
        ...(again && { again }),
        ...(text !== undefined && { text }),
      });
      const told = marked.notTold === null ? 'the customer is texted' : notToldInWords[marked.notTold];
      return { json: { bookingId, ...marked }, text: `booking ${code} is ready: ${told}` };
    }),
  )
    .option('--silent', 'nobody is told')
    .option('--again', 'text also a customer who was told before')
    .option('--text <text>', "in place of the workshop's text: at most 3 SMS segments, without a link");
}
