/**
 * GET /calendar/{secret}.ics: a workshop's bookings for any calendar program. Not an operation of the API: the secret is the
 * permission.
 */
import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { namesTag } from '#platform/http/etag.ts';
import { type RateLimit, tooManyRequests } from '#platform/http/rate-limit.ts';
import { digestOf } from './address.ts';
import { renderCalendar } from './render.ts';
import { findCalendar, listShownBookings, type ShownBooking } from './store.ts';

const limit: RateLimit = { policy: 'calendar', quota: 10, windowSeconds: 60 };
/** The most addresses that are counted at once; only existing addresses are counted. */
const countedAtMost = 10_000;

export function calendarRoutes({ db, clock }: Pick<Context, 'db' | 'clock'>): FastifyPluginAsync {
  const counts = new Map<string, { used: number; until: number }>();

  /** Throws 429. Each process counts separately: the limit bounds the load, not what a reader can see. */
  function count(workshopId: string): void {
    const nowMs = clock.machineNow().getTime();
    const known = counts.get(workshopId);
    if (known === undefined || known.until <= nowMs) {
      if (counts.size >= countedAtMost) counts.clear();
      counts.set(workshopId, { used: 1, until: nowMs + limit.windowSeconds * 1_000 });
    } else if (++known.used > limit.quota) {
      throw tooManyRequests(
        limit,
        known.until - nowMs,
        'This calendar is read too often; once in 15 minutes is enough',
      );
    }
  }

  return async (app) => {
    app.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
      const secret = /^(ptl_cal_[\w-]{43})\.ics$/.exec(request.params.file)?.[1];
      const calendar = secret === undefined ? null : await findCalendar(db, digestOf(secret));
      if (calendar === null) throw new Problem('000002', { message: 'There is no such calendar' });
      count(calendar.workshopId);

      const shown = await listShownBookings(db, calendar.workshopId, clock.now());
      const etag = etagOf(calendar.workshopName, shown);
      reply.headers({ etag, 'cache-control': 'private, max-age=300', 'x-robots-tag': 'noindex' });
      if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('text/calendar; charset=utf-8').send(renderCalendar(calendar.workshopName, shown));
    });
  };
}

/** Increment it when the rendering changes, so that programs read calendars again. */
const form = '2';

/** The ETag, computed without rendering: the same versions of the same bookings produce the same calendar. */
function etagOf(workshopName: string, shown: readonly ShownBooking[]): string {
  const versions = shown.map(({ booking, version }) => `${booking.id} ${version}`);
  return `"${createHash('sha256')
    .update([form, workshopName, ...versions].join('\n'))
    .digest('base64url')}"`;
}
