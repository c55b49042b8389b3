/** Every calendar entry of a booking lasts as long as its services together, and names them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { makeCalendar } from './address.ts';

const { app, workshopId, book, change } = await bookingWorld();
const { db, clock } = app.context;
const service = (catalogCode: string, title: string, durationMinutes: number | null) => ({
  ...{ catalogCode, title, category: 'service', durationMinutes },
});
const services = [
  service('log', 'Logbook service', 90),
  service('align', 'Wheel alignment', 45),
  service('x', 'Wash', null),
];
const { services: ids } = await importWorkshop(
  { db, clock },
  JSON.stringify({ workshopId, services }),
  actors.operator,
);
const item = (code: string) => ({ catalogId: ids.find(({ catalogCode }) => catalogCode === code)?._id });
const { path: calendarPath } = await makeCalendar({ db, clock }, workshopId, actors.operator);
const bookingTime = new Date(clock.now().getTime() + 7 * 86_400_000).toISOString();

/** Minutes and title of the entries with this booking's UID, in each calendar that shows it. */
async function entriesOf(id: string): Promise<readonly (readonly [minutes: number, title: string])[]> {
  await app.drain();
  const files = [
    app.email.sent.filter(({ calendar }) => calendar?.content.includes(id)).at(-1)?.calendar?.content ?? '',
    String((await app.request('GET', `/b/${await manageCode(db, id)}/booking.ics`)).body),
    String((await app.request('GET', calendarPath)).body),
  ];
  return files.map((file) => {
    const events = file.replaceAll('\r\n ', '').match(/BEGIN:VEVENT\r\n.*?END:VEVENT/gs) ?? [];
    const entry = events.find((text) => text.includes(id)) ?? '';
    const at = (name: string) => {
      const [, ...parts] = new RegExp(`^${name}:(....)(..)(..)T(..)(..)(..)Z`, 'm').exec(entry) ?? [];
      const [year, month, day, hour, minute, second] = parts.map(Number);
      return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
    };
    return [(at('DTEND') - at('DTSTART')) / 60_000, /^SUMMARY:(.*?)\r?$/m.exec(entry)?.[1] ?? ''] as const;
  });
}

test('durations add up; a service without a duration adds nothing; with none known it is an hour', async () => {
  const two = await book({ bookingTime, services: [item('log'), item('align'), item('x')] });
  const named = 'Logbook service\\, Wheel alignment\\, Wash';
  assert.deepEqual(await entriesOf(two.id), [
    [135, `ABC123 at Harbour Motors: ${named}`],
    [135, `ABC123 at Harbour Motors: ${named}`],
    [135, `ABC123 Sam Taylor: ${named}`],
  ]);
  for (const known of [{ services: [] }, { services: [{ title: 'A rattle' }] }]) {
    const { id } = await book({ bookingTime, ...known });
    const end = known.services.length > 0 ? ': A rattle' : '';
    assert.deepEqual(await entriesOf(id), [
      [60, `ABC123 at Harbour Motors${end}`],
      [60, `ABC123 at Harbour Motors${end}`],
      [60, `ABC123 Sam Taylor${end}`],
    ]);
  }
});

test('a change of the services changes the entry', async () => {
  const { id } = await book({ bookingTime, services: [item('log')] });
  await entriesOf(id);
  await change(id, {
    services: [item('align')],
    date: new Date(Date.parse(bookingTime) + 3_600_000).toISOString(),
  });
  const title = 'ABC123 at Harbour Motors: Wheel alignment';
  assert.deepEqual((await entriesOf(id)).slice(0, 2), [
    [45, title],
    [45, title],
  ]);
});

test('many services are shortened in the title', async () => {
  const { id } = await book({
    bookingTime,
    services: Array.from({ length: 20 }, (_, n) => ({ title: `Custom work number ${n}` })),
  });
  for (const [, title] of await entriesOf(id)) assert.ok(title.endsWith('...') && title.length < 160, title);
});
