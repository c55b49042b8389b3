import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { workshopCountry } from './country.ts';

const [partner, another, workshop] = [newId(), newId(), newId()];

/** A database in which every workshop has the same country, or none is known. */
function world(country: string | null) {
  const state = { country, asked: 0 };
  const db = {
    query: async () => {
      state.asked++;
      return state.country === null ? [] : [{ country: state.country }];
    },
  } as unknown as Database;
  return { state, context: { db, clock: testClock() } };
}

test('a change by the operator takes effect within 5 seconds', async () => {
  const { state, context } = world('AU');
  assert.equal(await workshopCountry(context, partner, workshop), 'AU');
  state.country = 'NZ';
  assert.equal(await workshopCountry(context, partner, workshop), 'AU');
  assert.equal(state.asked, 1);
  context.clock.advance({ ms: 4_900 });
  assert.equal(await workshopCountry(context, partner, workshop), 'NZ');
});

test('another partner of the same workshop is looked up again, and an unknown workshop each time', async () => {
  const { state, context } = world('AU');
  await workshopCountry(context, partner, workshop);
  state.country = null;
  assert.equal(await workshopCountry(context, another, workshop), null);
  state.country = 'AU';
  assert.equal(await workshopCountry(context, another, workshop), 'AU');
});
