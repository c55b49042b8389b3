/**
 * ALL RECORDS ON ONE PAGE: what partners create and workshops' staff act on. Each is declared in its domain's `record.ts`; what
 * goes over all of them (retention, erasure, feeds, counts) goes over this list, which has the order in which a transaction holds
 * their rows.
 */

import type { AnyRecord } from '#platform/records/record.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { callRecord } from '#product/leads/record.ts';
import { quoteRecord } from '#product/quotes/record.ts';
import { reminderRecord } from '#product/reminders/record.ts';

export const records = [
  quoteRecord,
  bookingRecord,
  reminderRecord,
  callRecord,
] as const satisfies readonly AnyRecord[];
