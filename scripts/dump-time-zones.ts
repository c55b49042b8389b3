/** docs/time-zones.md: what each time of the API is round the switches of daylight saving, asked of the API itself. */

import { deepEqual, equal } from 'node:assert/strict';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { bookingVariables } from '#product/bookings/template-variables.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../test/harness/world.ts';
import { serveApi } from './api.ts';
import { type LocalSwitch, momentsOf, switchesOf, zones } from './local-switches.ts';

const slotMs = 30 * 60_000;
const now = new Date('2030-01-01T00:00:00.000Z');
const timesOf = (times: readonly { localTime: string; time: string }[]) =>
  times.map(({ localTime, time }) => `${localTime} = ${time.slice(5, 16)}Z`).join('<br>');

const head = `# Times round the switches of daylight saving

Made by \`npm run mirrors\`, which asks the API: a workshop in each zone of Australia and its territories, and in three others, on the two days of 2030 on
which its clocks are changed. Zones that change no clocks have one day. A test compares this page with what the API answers.

- Every instant that the API returns is UTC with milliseconds and \`Z\`, wherever the workshop is: \`date\`, \`pickupTime\`, \`createdAt\`, \`updatedAt\`, the
  \`time\` of slots and pickup times. The columns below leave out year and seconds where they say nothing.
- Every instant that a request carries has a zone of its own: \`bookingTime\`, \`date\`, \`pickupTime\`, \`from\`, \`to\` and \`updatedSince\` of the list of bookings. The
  same instant with another offset is the same value: it changes nothing in a booking, and finds the same bookings.
- Dates and clock times without a zone are the workshop's: \`from\`, \`to\` and \`date\` of availabilities, \`localTime\`, \`openingTime\`, \`closingTime\`, its hours and
  pickup times, and what people read.
`;

interface Row {
  readonly day: string;
  readonly availability: string;
  readonly bookings: readonly string[];
}

export async function dumpTimeZones(db: Database): Promise<string> {
  const clock = { ...systemClock(), now: () => now };
  const app = await serveApi(db, clock);
  try {
    const partner = await signedInPartner(app);
    const rows: Row[] = [];
    for (const zone of zones) {
      const workshopId = await linkedWorkshop(app, [partner], { timezone: zone });
      const switches = switchesOf(zone);
      await setUp(workshopId, switches);
      for (const each of switches) rows.push(await rowOf(workshopId, each));
    }
    return `${[
      head,
      '## Days\n\n`from` and `to` of `GET /bookings` that hold the local day, and how many of the bookings below they find.\n',
      table(
        ['Zone', 'Day', 'Clocks', '`from`', '`to`', 'Found'],
        rows.map(({ day }) => day),
      ),
      '\n## Availabilities\n\nSlots of 30 minutes: a time that is skipped is not there, one that comes twice is there twice. One pickup time, that of the switch.\n',
      table(
        ['Zone', 'Day', '`openingTime`, `closingTime`', '`slots`', '`pickupTimes`'],
        rows.map((row) => row.availability),
      ),
      '\n## Bookings\n\nWhat was sent as `bookingTime` and `pickupTime`, what `date` and `pickupTime` return, what notices and templates show, and the slot that holds it.\n',
      table(
        ['Zone', 'Sent', 'Returned', 'Shown to people', 'Slot'],
        rows.flatMap(({ bookings }) => bookings),
      ),
    ].join('\n')}\n`;

    async function setUp(id: string, switches: readonly LocalSwitch[]): Promise<void> {
      const custom = switches.map(({ date, opens, closes, wall }) => ({
        ...{ date, hours: [{ from: opens, to: closes }], pickupTimes: [wall] },
      }));
      const settings = { horizonDays: 3_650, bays: 100 };
      const setup = JSON.stringify({ workshopId: id, settings, custom });
      await importWorkshop({ db, clock }, setup, actors.operator);
    }

    async function rowOf(workshopId: string, change: LocalSwitch): Promise<Row> {
      const { zone, date, clocks, from, to } = change;
      const days = await partner.call(
        'GET',
        `/workshops/${workshopId}/availabilities?from=${date}&to=${date}`,
      );
      equal(days.status, 200);
      const [day] = days.body.days;
      const bookings: string[] = [];
      for (const moment of momentsOf(change))
        bookings.push(await bookingRow(workshopId, zone, moment, day.slots));

      const query = new URLSearchParams({ workshopId, from, to });
      const found = await partner.call('GET', `/bookings?${query}`);
      return {
        day: cells(zone, date, clocks, from, to, found.body.bookings.length),
        availability: cells(
          zone,
          date,
          `${day.openingTime}, ${day.closingTime}`,
          timesOf(day.slots),
          timesOf(day.pickupTimes),
        ),
        bookings,
      };
    }

    async function bookingRow(
      workshopId: string,
      zone: string,
      moment: { readonly text: string; readonly at: number },
      slots: readonly { readonly time: string; readonly localTime: string }[],
    ): Promise<string> {
      const { text, at } = moment;
      const body = bookingBody(workshopId, { bookingTime: text, pickupTime: text, skipNotification: true });
      const made = await partner.call('POST', '/bookings', body);
      equal(made.status, 201, JSON.stringify(made.body));
      const { booking } = made.body;
      const utc = new Date(at).toISOString();
      const stamp = now.toISOString();
      const { pickupTime, createdAt, updatedAt } = booking;
      deepEqual([booking.date, pickupTime, createdAt, updatedAt], [utc, utc, stamp, stamp]);
      // The same instants in UTC are no change.
      const same = await partner.call('PUT', `/bookings/${booking.id}`, { date: utc, pickupTime: utc });
      deepEqual([same.status, same.headers.get('etag')], [200, made.headers.get('etag')]);
      const shown = bookingVariables(
        booking,
        {
          name: '',
          slug: '',
          phone: '',
          email: '',
          address: null,
          country: 'AU',
          timezone: zone,
        },
        'sms',
      ).booking;
      equal(shown.dateTime, shown.pickupTime);
      const slot = slots.findLast(({ time }) => Date.parse(time) <= at && at < Date.parse(time) + slotMs);
      return cells(
        zone,
        text,
        utc,
        shown.dateTime,
        slot === undefined ? 'none' : `${slot.localTime} = ${slot.time.slice(5, 16)}Z`,
      );
    }
  } finally {
    await app.close();
  }
}

const cells = (...values: readonly (string | number)[]) => `| ${values.join(' | ')} |`;

function table(names: readonly string[], rows: readonly string[]): string {
  return [cells(...names), cells(...names.map(() => '---')), ...rows].join('\n');
}
