/** Every route of the console by every role, by a person of another workshop, and without a session: made from the table of permissions. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { may, roles, usualSwitches } from '#product/people/permissions.ts';
import { openStream } from '../../test/fixtures/event-stream.ts';
import { baseOf, browser, type Person, peopleOf, signedInPerson } from '../../test/fixtures/office.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { linkedWorkshop } from '../../test/harness/world.ts';
import { personRoutes, streamRoutes, workshopRoutes } from './routes.ts';

const app = await startTestApp();
const workshopId = await linkedWorkshop(app, []);
const base = await baseOf(app, workshopId);
const people = await peopleOf(app, workshopId);
let stranger: Person;

before(async () => {
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  stranger = await signedInPerson(app, [elsewhere]);
});

/** An address of the route, with ids that nothing has. */
const addressOf = (path: string) => `${base}/${path.replaceAll(/:\w+/g, () => newId())}`;
const call = (by: Pick<Person, 'get' | 'post'>, method: string, path: string) =>
  method === 'GET' ? by.get(path) : by.post(path);

for (const { method, path, permission } of workshopRoutes) {
  test(`${method} ${path} takes ${permission} (specification: The console 1, 2 and 3)`, async () => {
    const address = addressOf(path);
    for (const role of roles) {
      const { status, text } = await call(people[role], method, address);
      const isAllowed = may({ role, ...usualSwitches(role) }, permission);
      assert.equal(status === 403, !isAllowed, `${role}: ${status}`);
      assert.ok(status < 500, `${role}: ${status} ${text}`);
    }
    assert.equal((await call(stranger, method, address)).status, 404);
    const { status, location } = await call(browser(app, ''), method, address);
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/console\/sign-in/);
  });
}

for (const { path, permission } of streamRoutes) {
  test(`the stream ${path} takes ${permission}, and a session (specification: The console 13)`, async () => {
    const statusFor = async (cookie: string) => {
      const { status, close } = await openStream(app.url, cookie, addressOf(path));
      close();
      return status;
    };
    for (const role of roles) {
      const isAllowed = may({ role, ...usualSwitches(role) }, permission);
      assert.equal(await statusFor(people[role].cookie), isAllowed ? 200 : 403, role);
    }
    assert.equal(await statusFor(stranger.cookie), 404);
    assert.equal(await statusFor(''), 401);
  });
}

for (const { method, path } of personRoutes) {
  test(`${method} /console/${path} asks for a sign-in`, async () => {
    const { status, location } = await call(
      browser(app, ''),
      method,
      `/console/${path.replaceAll(/:\w+/g, () => newId())}`,
    );
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/console\/sign-in/);
  });
}

test('forms of other sites are refused, whatever Host they name (specification: The console 7)', async () => {
  const { cookie } = people.owner;
  const send = async (headers: Record<string, string>) => {
    const response = await fetch(`${app.url}/console/nowhere`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, ...headers },
    });
    return response.status;
  };
  assert.equal(await send({ 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await send({ 'sec-fetch-site': 'same-site', origin: app.url }), 403);
  assert.equal(await send({}), 403);
  assert.equal(await send({ origin: 'https://evil.example', host: 'evil.example' }), 403);
  assert.notEqual(await send({ origin: app.url }), 403);
});
