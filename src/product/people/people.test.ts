/** Long because all tests share one workshop with its people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { insertPartner } from '#product/partners/store.ts';
import { newPerson, newWorkshop, visitor } from '../../../test/fixtures/people.ts';
/** Who may add, change and remove people, and what happens to their sessions. */
import { changeWith, failing } from '../../../test/harness/change-with.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { testSealing } from '../../../test/harness/sealing.ts';
import { type AddedPerson, addPerson } from './add.ts';
import { printCode, printMembersCode } from './codes/print.ts';
import { changeMember } from './members/change.ts';
import { listMembers } from './members/store.ts';
import { removeFrom, removePerson } from './remove.ts';
import { listSessions } from './sessions/list/store.ts';
import { signInByCode } from './sessions/sign-in.ts';
import { findPerson } from './store.ts';

const { db } = await createTestDatabase();
const sealing = testSealing();
const ctx = { db, clock: testClock(), sealing };
let count = 0;
const address = (name: string) => `${name}${++count}@mail.example`;
const as = (personId: string) => actors.person(personId, 'r-1');

async function workshopWithOwner() {
  const workshopId = await newWorkshop(db);
  const { personId, email } = await newPerson(db, address('owner'), { workshopId, role: 'owner' });
  return { workshopId, owner: as(personId), ownerId: personId, email };
}
const add = (actor: Parameters<typeof addPerson>[1], person: AddedPerson) => addPerson(ctx, actor, person);

async function signIn(email: string): Promise<void> {
  const { code } = await printCode(ctx, actors.operator, email);
  assert.ok(await signInByCode(ctx, { email, code }, visitor()));
}
const openSessions = async (personId: string) =>
  (await listSessions(db, personId)).filter(({ endedAt }) => endedAt === null).length;
const emailsTo = async (email: string) =>
  (await db.query('SELECT FROM account_email WHERE email = lower($1)', [email])).length;

test('a person is identified by e-mail, without case; adding again adds memberships, and changes the role (specification: People and their sign-in 1)', async () => {
  const { workshopId } = await workshopWithOwner();
  const email = address('Kim.Lee');
  const first = await newPerson(db, email, { workshopId, role: 'technician' });
  assert.deepEqual(
    first.workshops.map(({ role, mayText, seesPhones }) => [role, mayText, seesPhones]),
    [['technician', false, true]],
  );
  await signIn(email);
  const again = await newPerson(db, email.toUpperCase(), { workshopId, role: 'adviser' }, 'Other');
  assert.deepEqual([again.personId, again.email, again.name], [first.personId, email, 'Kim Lee']);
  assert.deepEqual(
    again.workshops.map(({ role, mayText }) => [role, mayText]),
    [['adviser', true]],
  );
  assert.equal(await openSessions(first.personId), 0, 'a changed role ends sessions');
  await signIn(email);
  const partnerId = newId();
  await insertPartner(db, { id: partnerId, name: 'P', isDemo: false, at: new Date() });
  await newPerson(db, email, { partnerId });
  const all = await newPerson(db, email, { operator: true });
  assert.deepEqual([all.workshops.length, all.partners, all.operator], [1, [partnerId], true]);
  assert.equal(await openSessions(first.personId), 1, 'a further place ends none');
});

test('two concurrent calls that add the same new person create one', async () => {
  const { workshopId } = await workshopWithOwner();
  const email = address('race');
  const made = await Promise.all(
    [0, 1, 2, 3].map(() => newPerson(db, email, { workshopId, role: 'viewer' })),
  );
  assert.equal(new Set(made.map(({ personId }) => personId)).size, 1);
  assert.equal(await emailsTo(email), 1);
});

test('invalid values are named', async () => {
  const { workshopId } = await workshopWithOwner();
  const place = { workshopId, role: 'viewer' } as const;
  await assert.rejects(add(actors.operator, { email: 'x', name: 'n', place }), /email: is not an e-mail/);
  await assert.rejects(add(actors.operator, { email: address('x'), place }), /name: is needed/);
});

test('only an owner of the workshop adds, changes and removes people and prints codes (specification: People and their sign-in 2)', async () => {
  const { workshopId } = await workshopWithOwner();
  const elsewhere = await workshopWithOwner();
  const adviser = await newPerson(db, address('adviser'), { workshopId, role: 'adviser' });
  const other = await newPerson(db, address('other'), { workshopId, role: 'viewer' });
  const which = { workshopId, personId: other.personId };
  for (const actor of [as(adviser.personId), elsewhere.owner]) {
    const place = { workshopId, role: 'viewer' } as const;
    const refused = { errorCode: '000003', status: 403 };
    await assert.rejects(add(actor, { email: address('x'), name: 'n', place }), refused);
    await assert.rejects(changeMember(ctx, actor, which, { role: 'owner' }), refused);
    await assert.rejects(removeFrom(ctx, actor, other.personId, { workshopId }), refused);
    await assert.rejects(printMembersCode(ctx, actor, which), refused);
  }
  const members = await listMembers(db, workshopId, { after: null, limit: 10 });
  assert.deepEqual(members.map(({ role }) => role).sort(), ['adviser', 'owner', 'viewer']);
});

test('a workshop keeps one owner, whoever tries to remove the last one (specification: People and their sign-in 2)', async () => {
  const { workshopId, ownerId, owner } = await workshopWithOwner();
  for (const actor of [owner, actors.operator]) {
    const which = { workshopId, personId: ownerId };
    await assert.rejects(changeMember(ctx, actor, which, { role: 'adviser' }), /keeps one owner/);
    await assert.rejects(removeFrom(ctx, actor, ownerId, { workshopId }), /keeps one owner/);
  }
  await assert.rejects(removePerson(ctx, actors.operator, ownerId), /keeps one owner/);
  const second = await newPerson(db, address('second'), { workshopId, role: 'owner' });
  // Both leave concurrently: one of them stays.
  const both = await Promise.allSettled([
    changeMember(ctx, owner, { workshopId, personId: ownerId }, { role: 'adviser' }),
    changeMember(ctx, as(second.personId), { workshopId, personId: second.personId }, { role: 'viewer' }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('nobody raises their own rights (specification: People and their sign-in 2)', async () => {
  const { workshopId, owner, ownerId } = await workshopWithOwner();
  const second = await newPerson(db, address('second'), { workshopId, role: 'owner' });
  const which = { workshopId, personId: ownerId };
  const lowered = await changeMember(ctx, owner, which, { mayText: false });
  assert.deepEqual([lowered.role, lowered.mayText], ['owner', false]);
  await assert.rejects(changeMember(ctx, owner, which, { mayText: true }), /nobody raises their own/);
  assert.equal((await changeMember(ctx, as(second.personId), which, { mayText: true })).mayText, true);
});

test('removal ends sessions; after a complete removal nothing of the person is left (specification: People and their sign-in 5)', async () => {
  const { workshopId, owner } = await workshopWithOwner();
  const email = address('leaver');
  const { personId } = await newPerson(db, email, { workshopId, role: 'technician' });
  await signIn(email);
  await removeFrom(ctx, owner, personId, { workshopId });
  assert.equal(await openSessions(personId), 0);
  assert.deepEqual((await findPerson(db, personId))?.workshops, []);
  await assert.rejects(removeFrom(ctx, owner, personId, { workshopId }), /has no person/);
  await printCode(ctx, actors.operator, email);
  await removePerson(ctx, actors.operator, personId);
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const sql = `SELECT count(*)::int AS count FROM "${name}" AS t WHERE t::text LIKE '%' || $1 || '%' OR t::text LIKE '%' || $2 || '%'`;
    const { rows } = await db.pool.query<{ count: number }>(sql, [email, personId]);
    // The trail keeps the actions, with ids only.
    if (name !== 'audit_entry') assert.equal(rows[0]?.count, 0, name);
  }
});

test('a workshop invites at most 20 people a day: an owner is refused, the operator adds without an e-mail (specification: People and their sign-in 22)', async () => {
  const { workshopId, owner } = await workshopWithOwner();
  const place = { workshopId, role: 'viewer' } as const;
  for (let n = 1; n < 20; n++) {
    const email = address('many');
    assert.equal((await add(owner, { email, name: 'n', place })).invitation, 'queued');
    assert.equal(await emailsTo(email), 1);
  }
  const late = { email: address('late'), name: 'n', place };
  await assert.rejects(add(owner, late), { status: 429 });
  assert.equal((await listMembers(db, workshopId, { after: null, limit: 100 })).length, 20, 'and not added');
  assert.equal((await add(actors.operator, late)).invitation, 'dayLimit');
  assert.equal(await emailsTo(late.email), 0);
});

test('an owner prints codes only for members of the own workshop, and sees no other place of theirs (specification: People and their sign-in 2 and 3)', async () => {
  const { workshopId, owner } = await workshopWithOwner();
  const elsewhere = await workshopWithOwner();
  const email = address('both');
  const { personId } = await newPerson(db, email, { workshopId, role: 'viewer' });
  const which = { workshopId, personId };
  const { code } = await printMembersCode(ctx, owner, which);
  await newPerson(db, email, { workshopId: elsewhere.workshopId, role: 'viewer' });
  assert.equal(await signInByCode(ctx, { email, code }, visitor()), null, 'an earlier code has ended');
  await assert.rejects(printMembersCode(ctx, owner, which), /printed by whoever runs/);
  const operator = await newPerson(db, address('ops'), { operator: true });
  await add(owner, { email: operator.email, name: 'n', place: { workshopId, role: 'viewer' } });
  await assert.rejects(
    printMembersCode(ctx, owner, { workshopId, personId: operator.personId }),
    /printed by whoever runs/,
  );
  const [seen] = (await listMembers(db, workshopId, { after: null, limit: 10 })).filter(
    (member) => member.personId === personId,
  );
  const ofThisPlace = ['personId', 'email', 'name', 'role', 'mayText', 'seesPhones', 'version'];
  assert.deepEqual(Object.keys(seen ?? {}), ofThisPlace);
});

test('a session from a code that an owner printed ends once the person gets a place elsewhere (specification: People and their sign-in 14)', async () => {
  const { workshopId, owner } = await workshopWithOwner();
  const elsewhere = await workshopWithOwner();
  const email = address('impersonated');
  const { personId } = await newPerson(db, email, { workshopId, role: 'viewer' });
  const { code } = await printMembersCode(ctx, owner, { workshopId, personId });
  assert.ok(await signInByCode(ctx, { email, code }, visitor()));
  await signIn(email);
  assert.equal(await openSessions(personId), 2);
  const place = { workshopId: elsewhere.workshopId, role: 'owner' } as const;
  await add(elsewhere.owner, { email, name: 'n', place });
  assert.equal(await openSessions(personId), 1, 'only that which the person has by themselves');
});

test('a person who is added is rolled back with the change of the caller', async () => {
  const { workshopId, owner } = await workshopWithOwner();
  const person = { email: address('undone'), name: 'n', place: { workshopId, role: 'viewer' } } as const;
  await assert.rejects(
    changeWith(ctx, (its) => addPerson(its, owner, person), failing('no')),
    /^Error: no$/,
  );
  assert.equal((await listMembers(db, workshopId, { after: null, limit: 10 })).length, 1);
});

test('the trail records added, changed, removed and signed in, and no code', async () => {
  const { workshopId, owner, ownerId } = await workshopWithOwner();
  const email = address('trail');
  const place = { workshopId, role: 'viewer' } as const;
  const { person } = await add(owner, { email, name: 'n', place });
  const { personId } = person;
  await changeMember(ctx, owner, { workshopId, personId }, { role: 'technician' });
  const { code } = await printMembersCode(ctx, owner, { workshopId, personId });
  await signInByCode(ctx, { email, code: 'ZZZZZZZZ' }, visitor());
  await signInByCode(ctx, { email, code }, visitor());
  await removeFrom(ctx, owner, personId, { workshopId });
  await removePerson(ctx, actors.operator, personId);
  const entries = await db.query<{ action: string; actor: string; after: object | null }>(
    'SELECT action, actor, after FROM audit_entry WHERE subject_id = $1 ORDER BY id',
    [personId],
  );
  assert.deepEqual(
    entries.map(({ action, actor }) => [action, actor]).toSorted(),
    [
      ['person.added', `person ${ownerId}`],
      ['person.changed', `person ${ownerId}`],
      ['person.codePrinted', `person ${ownerId}`],
      ['person.signInFailed', 'visitor'],
      ['person.signedIn', `person ${personId}`],
      ['person.removed', `person ${ownerId}`],
      ['person.erased', 'operator'],
    ].toSorted(),
  );
  const changed = entries.find(({ action }) => action === 'person.changed');
  assert.deepEqual(changed?.after, { role: 'technician', seesPhones: true });
  const rows = await db.query('SELECT FROM audit_entry AS e WHERE e::text LIKE $1 OR e::text LIKE $2', [
    `%${code}%`,
    `%${email}%`,
  ]);
  assert.equal(rows.length, 0);
});

test('nobody gives what they lack (specification: People and their sign-in 20)', async () => {
  const { workshopId, owner, ownerId } = await workshopWithOwner();
  await changeMember(
    ctx,
    actors.operator,
    { workshopId, personId: ownerId },
    { mayText: false, seesPhones: false },
  );
  const place = { workshopId, role: 'owner' } as const;
  const lacked = /seesPhones: may not be given/;
  await assert.rejects(
    add(owner, { email: address('second'), name: 'Second', place: { ...place, seesPhones: true } }),
    lacked,
  );
  await assert.rejects(
    add(owner, { email: address('second'), name: 'Second', place: { ...place, mayText: true } }),
    /mayText: may not be given/,
  );
  const plain = address('second');
  const { person } = await add(owner, { email: plain, name: 'Second', place });
  const switchesOf = async (personId: string) => {
    const member = (await listMembers(db, workshopId, { after: null, limit: 50 })).find(
      (each) => each.personId === personId,
    );
    return [member?.role, member?.mayText, member?.seesPhones];
  };
  assert.deepEqual(
    await switchesOf(person.personId),
    ['owner', false, false],
    'as far as the first has them',
  );
  const which = { workshopId, personId: person.personId };
  await assert.rejects(changeMember(ctx, owner, which, { seesPhones: true }), lacked);
  await assert.rejects(changeMember(ctx, owner, which, { role: 'adviser', seesPhones: true }), lacked);
  await changeMember(ctx, owner, which, { role: 'adviser' });
  assert.deepEqual(await switchesOf(person.personId), ['adviser', false, false]);
  assert.ok((await printMembersCode(ctx, owner, which)).code, 'of somebody who may do no more');

  const more = await newPerson(db, address('more'), { workshopId, role: 'adviser' });
  const ofMore = { workshopId, personId: more.personId };
  await assert.rejects(printMembersCode(ctx, owner, ofMore), /person: may do more than you/);
  await add(owner, { email: more.email, name: 'More', place });
  assert.deepEqual(await switchesOf(more.personId), ['owner', true, true], 'what they had they keep');
  await changeMember(ctx, owner, ofMore, { role: 'technician', mayText: true, seesPhones: false });
  await assert.rejects(
    changeMember(ctx, owner, ofMore, { seesPhones: true }),
    lacked,
    'taken, and not given back',
  );
  await assert.rejects(
    changeMember(ctx, owner, ofMore, { role: 'adviser', mayText: true }),
    /mayText: may not be given/,
    'a switch that only the new role makes use of',
  );
  await changeMember(ctx, actors.operator, ofMore, { seesPhones: true });
  assert.ok((await printCode(ctx, actors.operator, more.email)).code);
});
