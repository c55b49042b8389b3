/** Random sequences of changes, undos and relays, compared with a model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { relayBatch } from '#platform/events/batch.ts';
import { reactions } from '#reactions.ts';
import { at } from '../../../../test/fixtures/places.ts';
import { undoWorld } from '../../../../test/fixtures/undo.ts';
import type { BookingStatus } from '../schema.ts';

const world = await undoWorld();
const { app, context, partner, give, move, undo, row, published } = world;

const statuses = ['confirmed', 'completed', 'cancelled'] as const;
const command = fc.oneof(
  fc.record({ does: fc.constant('give' as const), status: fc.constantFrom(...statuses), held: fc.boolean() }),
  fc.record({
    does: fc.constant('move' as const),
    hour: fc.integer({ min: 10, max: 15 }),
    held: fc.boolean(),
  }),
  fc.record({ does: fc.constant('undo' as const), which: fc.nat({ max: 2 }) }),
  fc.record({ does: fc.constantFrom('put' as const, 'relay' as const, 'expire' as const) }),
);

interface Modelled {
  readonly status: BookingStatus;
  readonly date: string;
  readonly notes: string | null;
}
interface Undoable {
  readonly eventId: string;
  readonly before: Modelled;
  readonly version: number;
}
const next: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: statuses,
  confirmed: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};
const isFinal = ({ status }: Modelled) => next[status].length === 0;

test('changes, undos and relays in any order: state, versions and notices equal those of the model', async () => {
  const free = await world.workshop({}, { enforceAvailability: false });
  const staff = { workshopId: free, notify: false };
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 12 }), async (commands) => {
      const { id, date } = await world.booked(free, at('09:00', 30), { skipNotification: true });
      let state: Modelled = { status: 'pending', date, notes: null };
      let version = 1;
      let told = [1];
      /** The last change can be undone, while it is held. */
      let held: Undoable | undefined;
      const eventIds: string[] = [];

      const change = async (
        after: Modelled,
        isHeld: boolean,
        work: () => Promise<{ eventId: string | null }>,
      ) => {
        const before = state;
        const { eventId } = await work();
        [state, version] = [after, version + 1];
        told.push(version);
        held = isHeld && eventId !== null ? { eventId, before, version } : undefined;
        if (eventId !== null) eventIds.push(eventId);
      };

      for (const each of commands) {
        if (each.does === 'give') {
          if (!next[state.status].includes(each.status)) continue;
          const options = { ...staff, ...(!each.held && { holdMs: 0 }) };
          await change({ ...state, status: each.status }, each.held, () => give(id, each.status, options));
        } else if (each.does === 'move') {
          const to = at(`${each.hour}:00`, 30);
          if (isFinal(state) || state.date === to) continue;
          const options = { ...staff, ...(!each.held && { holdMs: 0 }) };
          await change({ ...state, date: to }, each.held, () => move(id, { to }, options));
        } else if (each.does === 'put') {
          const notes = `Notes ${version}`;
          await change({ ...state, notes }, false, async () => {
            assert.equal((await partner.call('PUT', `/bookings/${id}`, { notes })).status, 200);
            return { eventId: null };
          });
        } else if (each.does === 'undo') {
          const eventId = eventIds.at(-1 - each.which);
          if (eventId === undefined) continue;
          const error = await undo(eventId, { workshopId: free }).then(
            () => null,
            (reason: unknown) => reason,
          );
          const present = held as Undoable | undefined;
          if (present?.eventId === eventId) {
            assert.equal(error, null);
            told = told.filter((one) => one !== present.version);
            [state, version, held] = [present.before, version + 1, undefined];
            told.push(version);
          } else assert.notEqual(error, null);
        } else if (each.does === 'relay') await relayBatch(context, reactions);
        else {
          await world.expire();
          held = undefined;
        }
        const { version: now, columns } = await row(id);
        assert.deepEqual(
          [now, columns['status'], new Date(String(columns['date'])).toISOString(), columns['notes']],
          [version, state.status, state.date, state.notes],
        );
      }
      await world.expire();
      await app.drain();
      assert.deepEqual(
        (await published(id)).map((text) => Number(text.split(' ')[0])),
        told,
      );
      assert.deepEqual(await world.heldEvents(), []);
    }),
    { numRuns: 40 },
  );
});
