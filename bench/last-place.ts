/** 200 bookings of the last place at once: one is made, the others are refused. Beside as many of a workshop that limits nothing. */
import { actors } from '#base/values/actor.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { setLink } from '#product/workshops/link.ts';
import type { Found, Size } from './bench.ts';
import { beside } from './beside.ts';
import { createBody } from './create-sql.ts';
import type { Rate } from './limit.ts';
import { percentiles } from './percentiles.ts';
import type { SharedInstallation } from './shared.ts';
import { makeWorkshop } from './world.ts';

const atOnce = 200;
/** 9 o'clock of a Monday in Melbourne. */
const firstSlot = Date.parse('2030-03-03T22:00:00Z');
const slotMs = 30 * 60_000;

export async function lastPlaceRows({ rounds }: Size, shared: SharedInstallation): Promise<Found> {
  const { db, clock, server, made: first } = await shared.running();
  const { port } = server;
  const caller = await shared.caller();
  const plainWorkshopId = first.workshopId;
  // It gets one bay.
  const { workshopId } = await makeWorkshop(db, clock);
  await setLink({ db, clock }, { partnerId: first.partnerId, workshopId, active: true }, actors.operator);
  const settings = { slotMinutes: 30, bays: 1, horizonDays: 3_650, enforceAvailability: true };
  const hours = { monday: [{ from: '09:00', to: '17:00' }] };
  await importWorkshop({ db, clock }, JSON.stringify({ workshopId, settings, hours }), actors.operator);
  let slots = 0;

  /** All at once; checks how many are made. */
  async function race(workshop: string, made: number): Promise<Rate> {
    const bookingTime = new Date(firstSlot + slots++ * slotMs).toISOString();
    const times: number[] = [];
    const statuses: number[] = [];
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, async (_, n) => {
        const response = await fetch(`http://127.0.0.1:${port}/bookings`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-partner-id': caller.partnerId,
            authorization: `Bearer ${caller.token}`,
          },
          body: JSON.stringify({ ...createBody(workshop, n + 1), bookingTime }),
        });
        await response.text();
        statuses.push(response.status);
        times.push(performance.now() - startedAt);
      }),
    );
    const perSecond = atOnce / ((performance.now() - startedAt) / 1_000);
    const count = (status: number) => statuses.filter((each) => each === status).length;
    if (count(201) !== made || count(201) + count(409) !== atOnce)
      throw new Error(`of ${atOnce} bookings ${count(201)} were made, and ${count(409)} refused`);
    return { perSecond, ...percentiles(times) };
  }

  // Connections, plans and compiled code.
  await race(plainWorkshopId, atOnce);
  await race(workshopId, 1);
  const rows = await beside(
    rounds,
    `${atOnce} bookings of the last place at once`,
    () => race(workshopId, 1),
    [{ name: 'as many where nothing is limited', run: () => race(plainWorkshopId, atOnce) }],
  );
  return { rows };
}
