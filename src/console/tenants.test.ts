/** Every address, form and filter of the console with ids of another workshop: nothing of it is shown, and nothing there changes. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { blockBays } from '#product/bookings/staff/block.ts';
import { giveStatus } from '#product/bookings/staff/status.ts';
import { createAutomation } from '#product/campaigns/automations/create.ts';
import { createBlast } from '#product/campaigns/blasts/create.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { baseOf, signedInPerson } from '../../test/fixtures/office.ts';
import { publishedTemplate } from '../../test/fixtures/templates.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import type { WorkshopRoute } from './frame/console-page.ts';
import { workshopRoutes } from './routes.ts';

const app = await startTestApp();
const { context } = app;
const { db } = context;
/** Of the other workshop, in each of its names and texts. */
const theirText = /Zoe|HID|570 ?999|570999/;
const customer = {
  customerName: 'Zoe HIDDEN',
  customerPhone: '0491 570 999',
  customerEmail: 'zoe@hidden.example',
};

let workshopId = '';
let base = '';
let ownBooking = '';
let theirWorkshop = '';
/** Ids of the other workshop, by what they are of. */
let theirs: Readonly<Record<string, string>> = {};

before(async () => {
  const partner = await signedInPartner(app);
  workshopId = await linkedWorkshop(app, [partner]);
  theirWorkshop = await linkedWorkshop(app, [partner], { name: 'HIDDEN Motors' });
  const zoes = await signedInPerson(app, [theirWorkshop]);
  base = await baseOf(app, workshopId);
  const make = async (path: string, body: object) => {
    const answer = await partner.call('POST', path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  ownBooking = (await make('/bookings', bookingBody(workshopId))).booking.id;
  const { booking } = await make(
    '/bookings',
    bookingBody(theirWorkshop, { ...customer, carRego: 'HID 999', notes: 'HIDDEN note' }),
  );
  const { callLead } = await make('/leads/calls', {
    ...{ workshopId: theirWorkshop, callerPhone: '0491 570 999', customerName: 'Zoe HIDDEN' },
    ...{ calledAt: context.clock.now().toISOString(), outcome: 'missed' },
  });
  const services = [{ title: 'HIDDEN brakes' }];
  const { quote } = await make('/quotes', {
    workshopId: theirWorkshop,
    ...customer,
    carRego: 'HID 999',
    services,
  });
  const { serviceReminder } = await make('/reminders/services', {
    ...{ workshopId: theirWorkshop, customerPhone: '0491 570 999', customerName: 'Zoe HIDDEN' },
    sendAt: new Date(context.clock.now().getTime() + 86_400_000).toISOString(),
  });
  await app.drain();
  const campaign = {
    ...{ workshop: theirWorkshop, name: 'HIDDEN campaign' },
    template: await publishedTemplate(context, {
      ...{ workshopId: theirWorkshop, name: 'HIDDEN template', body: 'HIDDEN words' },
    }),
  };
  const blast = await createBlast({ db, clock: context.clock }, campaign, actors.operator);
  const automation = await createAutomation(
    { db, clock: context.clock },
    { ...campaign, trigger: 'manual' },
    actors.operator,
  );
  const actor = actors.person(zoes.personId, 'r-1');
  const of = { workshopId: theirWorkshop, bookingId: booking.id, actor };
  await setAttendance(context, { ...of, state: 'here' });
  const sent = await sendOwnMessage(context, {
    ...{ ...of, to: { customerId: booking.customerId }, content: { text: 'HIDDEN text' } },
  });
  const { block } = await blockBays(
    context,
    theirWorkshop,
    { from: '2030-03-03', to: '2030-03-04', reason: 'HIDDEN' },
    { actor },
  );
  const date = '2030-03-03';
  await setDayNote(context, { workshopId: theirWorkshop, date, text: 'HIDDEN', seen: 0, actor });
  await app.drain();
  const held = await giveStatus(context, booking.id, {
    ...{ workshopId: theirWorkshop, actor, status: 'confirmed', reason: undefined, notify: true },
    holdMs: 60_000,
  });
  const importId = newId();
  await db.query(
    `INSERT INTO import_file (id, workshop_id, actor, kind, file_name, state, content, report, changed_at)
     VALUES ($1, $2, 'operator', 'customers', 'HIDDEN file', 'checked', 'Name,Ph', '{}', clock_timestamp())`,
    [importId, theirWorkshop],
  );
  theirs = {
    ...{ import: importId },
    ...{ booking: booking.id, code: booking.code, customer: booking.customerId, car: booking.carId },
    ...{
      call: callLead.id,
      quote: quote.id,
      ...{ blast: blast.id, automation: automation.id },
      reminder: serviceReminder.id,
      event: held.eventId ?? assert.fail(),
      message: sent.messageId,
    },
    ...{ conversation: sent.conversationId, block: block.id, person: zoes.personId, workshop: theirWorkshop },
  };
  for (const [name, id] of Object.entries(theirs)) assert.ok(id, name);
});

/** A hash of each table's rows of the other workshop. */
async function rowsOfTheirs(): Promise<Readonly<Record<string, string>>> {
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'workshop_id' ORDER BY 1`,
  );
  const wheres = [
    ...tables.map(({ name }) => [name, `workshop_id = $1`]),
    ['workshop', 'id = $1'],
    ...['attendance', 'held_event'].map((name) => [
      name,
      `${name === 'attendance' ? 'booking_id' : 'record_id'} IN (SELECT id FROM booking WHERE workshop_id = $1)`,
    ]),
    ['call_back', 'call_lead_id IN (SELECT id FROM call_lead WHERE workshop_id = $1)'],
    ['person', 'id IN (SELECT person_id FROM membership WHERE workshop_id = $1)'],
  ];
  const hashes = wheres.map(async ([name, where]) => {
    const [row] = await db.query<{ hash: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(to_jsonb(t)::text, ',' ORDER BY to_jsonb(t)::text), '')) AS hash FROM ${name} t WHERE ${where}`,
      [theirWorkshop],
    );
    return [name, row?.hash ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

const hasIds = ({ path }: WorkshopRoute) => path.includes(':');
const pathOf = ({ path }: WorkshopRoute, id: string) => `${base}/${path.replaceAll(/:\w+/g, id)}`;
/** What forms and addresses may name a record by. */
const namedBy = [
  ...['customer', 'call', 'like', 'conversation', 'event', 'booking', 'block', 'person', 'quote', 'message'],
  ...['id', 'after', 'before', 'q', 'from', 'with', 'workshop', 'workshopId', 'service'],
];
const all = (id: string) => Object.fromEntries(namedBy.map((name) => [name, id]));
const right = () => ({ ...theirs, like: theirs['booking'] ?? '' });
const form = (fields: object) => ({
  ...{ version: '1', state: 'collected', tell: 'yes', date: '2030-03-05', time: '09:00', name: 'Kim' },
  ...{
    message: 'Hello',
    reason: 'They asked',
    text: 'Hello',
    email: 'a@b.example',
    role: 'viewer',
    ...fields,
  },
  key: newId(),
});

for (const route of workshopRoutes) {
  const { method } = route;
  test(`${method} ${route.path}: nothing of another workshop is shown, or changes`, async () => {
    const kim = await signedInPerson(app, [workshopId]);
    const was = await rowsOfTheirs();
    const ask = async (path: string, fields: object = {}) => {
      const { status, text } = await (method === 'GET'
        ? kim.get(`${path}?${new URLSearchParams({ ...fields })}`)
        : kim.post(path, form(fields)));
      assert.ok(status < 500, `${path}: ${status}`);
      assert.doesNotMatch(text, theirText, path);
      return status;
    };
    for (const [name, id] of Object.entries(theirs)) {
      if (hasIds(route)) assert.equal(await ask(pathOf(route, id), right()), 404, name);
      else await ask(pathOf(route, ''), all(id));
    }
    const own = pathOf(route, ownBooking);
    await ask(own, right());
    if (!hasIds(route)) for (const [name, id] of Object.entries(right())) await ask(own, { [name]: id });
    assert.deepEqual(await rowsOfTheirs(), was);
  });
}

test('the other workshop is there for its own people, and a known registration or number of it is nobody elsewhere', async () => {
  const kim = await signedInPerson(app, [workshopId]);
  const insider = await signedInPerson(app, [theirWorkshop]);
  const { text } = await insider.get(`${await baseOf(app, theirWorkshop)}/bookings/${theirs['booking']}`);
  assert.match(text, theirText);
  for (const query of ['rego=hid999', 'phone=0491570999'])
    assert.doesNotMatch((await kim.get(`${base}/bookings/new?${query}`)).text, /Zoe|HIDDEN/);
});
