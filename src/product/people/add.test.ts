/** Owners who add a person learn nothing about that person elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newPerson, newWorkshop } from '../../../test/fixtures/people.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { addPerson } from './add.ts';
import { requirePerson } from './store.ts';

const { db } = await createTestDatabase();

test('without a name the refusal is the same for a known and an unknown person', async () => {
  const workshopId = await newWorkshop(db);
  const owner = await newPerson(db, 'owner@mail.example', { workshopId, role: 'owner' });
  const known = await newPerson(db, 'known@mail.example', { operator: true });
  const place = { workshopId, role: 'viewer' } as const;
  for (const email of [known.email, 'unknown@mail.example'])
    await assert.rejects(
      addPerson({ db, clock: testClock() }, actors.person(owner.personId, 'r-1'), { email, place }),
      /^InvalidInput: name: is needed$|^Error: name: is needed$/,
    );
  assert.deepEqual((await requirePerson(db, known.email)).workshops, []);
});
