/**
 * ALL RECORDS ON ONE PAGE: what partners make and workshops' staff act on. Each is declared in its domain's `record.ts`; what goes over
 * all of them (retention, erasure, feeds, counts) goes over this list, which has the order in which a transaction holds their rows.
 */
import { bookingRecord } from '#bookings/record.ts';
import { callRecord } from '#leads/record.ts';
import { quoteRecord } from '#quotes/record.ts';
import type { AnyRecord } from '#records/record.ts';
import { reminderRecord } from '#reminders/record.ts';

export const records = [
  quoteRecord,
  bookingRecord,
  reminderRecord,
  callRecord,
] as const satisfies readonly AnyRecord[];
