/** One customer's story through all areas, as its people live it: HTTP, pages and the command line, and nothing beside them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { schedule } from '#work.ts';
import { demoSetup } from '../src/operation/demo/setup.ts';
import { json } from './command-line/run.ts';
import { workshopOptions } from './command-line/world.ts';
import { startTestApp } from './harness/app.ts';
import { sandboxGateways } from './harness/sandbox.ts';

const publicUrl = 'https://pitlane.example';
const app = await startTestApp({ gateways: sandboxGateways, config: { publicUrl } });
const env = { DATABASE_URL: app.databaseUrl, PITLANE_PUBLIC_URL: publicUrl };
const folder = mkdtempSync(join(tmpdir(), 'pitlane-story-'));
after(() => rmSync(folder, { recursive: true }));

const customer = '0491570006';
const pitlane = (...args: string[]) => json(args, env);

/** What the worker of a running server does by itself. */
async function workIsDone(): Promise<void> {
  await app.drain();
  for (const { run } of schedule) await run(app.context);
  await app.drain();
}

/** A partner and its workshop, which calls back whom it missed and reminds of the next service after six months. */
async function setUp() {
  const { partnerId, appKey, secret } = await pitlane('partner', 'create', '--name', 'Example Fleet');
  const { workshopId } = await pitlane('workshop', 'create', ...workshopOptions);
  await pitlane('link', partnerId, workshopId);
  const file = join(folder, 'workshop.json');
  const setup = demoSetup(0);
  const settings = { ...setup.settings, reminderMonths: 6, enforceAvailability: true };
  writeFileSync(file, JSON.stringify({ ...setup, workshopId, settings }));
  await pitlane('workshop', 'import', file);
  const body = 'Sorry we missed your call. What can we do for you?';
  const { templateId } = await pitlane(
    ...['template', 'create', '--workshop', workshopId, '--name', 'Missed', '--body', body],
  );
  await pitlane('template', 'publish', templateId);
  await pitlane(
    ...[
      'automation',
      'create',
      '--workshop',
      workshopId,
      '--name',
      'Missed calls',
      '--trigger',
      'callMissed',
    ],
    ...['--template', templateId, '--quiet-hours', 'off'],
  );

  async function signIn() {
    const headers = { 'x-partner-id': partnerId };
    const { body: pair } = await app.request('POST', '/auth/token', { headers, body: { appKey, secret } });
    return { ...headers, authorization: `Bearer ${pair.token}` };
  }
  let headers = await signIn();
  /** Calls an operation as the partner, whose token lasts two days; fails unless it has the status. */
  async function call(status: number, method: string, path: string, body?: unknown) {
    let answer = await app.request(method, path, { headers, body });
    if (answer.status === 401) {
      headers = await signIn();
      answer = await app.request(method, path, { headers, body });
    }
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  return { workshopId, call };
}

/** The texts that this recipient got, the newest first. */
async function texts(to: string): Promise<string[]> {
  await workIsDone();
  const { body } = await app.request('GET', `/sandbox/messages?channel=sms&to=${to}`);
  return body.messages.map(({ body: text }: { body: string }) => text);
}

async function moveClock(seconds: number): Promise<void> {
  const { status } = await app.request('POST', '/sandbox/clock', { body: { advanceSeconds: seconds } });
  assert.equal(status, 200);
}

/** The text of a page. Its addresses are those of the customer's phone. */
async function page(path: string): Promise<string> {
  const response = await fetch(app.url + path);
  assert.equal(response.status, 200, path);
  return (await response.text()).replaceAll('&amp;', '&');
}

/** The first that the text has of this form. */
function found(text: string | undefined, form: RegExp): string {
  const match = form.exec(text ?? '');
  assert.ok(match, `${form} is not in ${text}`);
  return match[1] ?? match[0];
}

const businessNow = async (): Promise<string> => (await app.request('GET', '/sandbox/clock')).body.now;

test('a missed call becomes a quote, a booking, a reminder, the next booking, and a report', async () => {
  const { workshopId, call } = await setUp();
  const calledAt = await businessNow();
  const person = {
    ...{ workshopId, carRego: 'ABC123', carMake: 'Toyota', carModel: 'Corolla' },
    ...{ customerName: 'Sam Taylor', customerPhone: customer, customerEmail: 'sam@mail.example' },
  };

  // A call is missed, and the workshop's automation texts the caller.
  const lead = { workshopId, callerPhone: customer, calledAt, outcome: 'missed', externalId: 'call-1' };
  const { callLead } = await call(201, 'POST', '/leads/calls', lead);
  assert.deepEqual([callLead.customerId, callLead.bookingId], [null, null]);
  assert.match((await texts(customer))[0] ?? '', /^Carlton Motors: Sorry we missed your call/);

  // The customer answers, and it is in the workshop's inbox.
  const answer = 'My brakes squeal';
  const inbound = await app.request('POST', '/sandbox/inbound', { body: { from: customer, body: answer } });
  assert.deepEqual([inbound.body.placed, inbound.body.workshopId], [true, workshopId]);
  const [conversation] = await pitlane('inbox', 'list', '--workshop', workshopId);
  assert.equal(conversation.customerId, inbound.body.customerId);

  // The partner asks for a quote, and the workshop prices it.
  const { quote } = await call(201, 'POST', '/quotes', {
    ...{ ...person, notes: answer, services: [{ catalogCode: 'brakes-front' }] },
  });
  assert.equal(quote.customerId, conversation.customerId);
  await pitlane(
    ...['quote', 'price', quote.code, '--line', 'Brake pads:2:94.50', '--line', 'Labour:1.5:120'],
    ...['--valid-days', '14'],
  );
  const path = found((await texts(customer))[0], /https:\/\/pitlane\.example(\/q\/\w+)/);
  assert.match(await page(path), /\$369/);

  // The customer accepts it on the page, with a free time.
  const time = found(await page(`${path}/accept`), /\/accept\?[^"]*time=([^"&]+)/);
  const accepted = await fetch(`${app.url}${path}/accept`, {
    method: 'POST',
    body: new URLSearchParams({ time: decodeURIComponent(time) }),
  });
  assert.equal(accepted.status, 200);
  assert.match(await accepted.text(), /You have accepted this quote/);
  const { bookingId, status } = (await call(200, 'GET', `/quotes/${quote.id}`)).quote;
  assert.equal(status, 'accepted');
  const { booking } = await call(200, 'GET', `/bookings/${bookingId}`);
  assert.deepEqual(
    [booking.date, booking.status, booking.services[0].catalogCode],
    [new Date(decodeURIComponent(time)).toISOString(), 'pending', 'brakes-front'],
  );
  assert.match((await texts(customer))[0] ?? '', new RegExp(booking.code));

  // The car is repaired, and the workshop completes the booking.
  await moveClock(7 * 86_400);
  await pitlane('booking', 'complete', booking.code);
  await workIsDone();
  const reminders = `/reminders/services?workshopId=${workshopId}&customerId=${booking.customerId}`;
  const [scheduled, ...others] = (await call(200, 'GET', reminders)).serviceReminders;
  assert.deepEqual([scheduled.status, scheduled.lastBookingId, others], ['scheduled', bookingId, []]);
  const sixMonths = Temporal.Instant.from(booking.date)
    .toZonedDateTimeISO('Australia/Melbourne')
    .add({ months: 6 })
    .withPlainTime('10:00');
  assert.equal(Date.parse(scheduled.dueDate), sixMonths.epochMilliseconds);

  // Six months later the customer is reminded.
  const before = (Date.parse(scheduled.dueDate) - Date.parse(await businessNow())) / 1_000;
  await moveClock(Math.floor(before) - 3_600);
  assert.doesNotMatch((await texts(customer))[0] ?? '', /is due/);
  await moveClock(3_601);
  const reminded = (await texts(customer))[0];
  assert.match(reminded ?? '', /^Carlton Motors: Sam, your Toyota Corolla \(ABC123\) is due/);
  const reminderCode = found(reminded, /code (\w{8})\b/);
  assert.equal(reminderCode, scheduled.code);

  // The customer reads the code out to the partner, who books again.
  const { days } = await call(200, 'GET', `/workshops/${workshopId}/availabilities`);
  const [slot] = days.flatMap(({ slots }: { slots: { time: string }[] }) => slots);
  const again = { ...person, bookingTime: slot.time, reminderCode, services: [{ catalogCode: 'logbook' }] };
  const second = (await call(201, 'POST', '/bookings', again)).booking;
  assert.equal(second.customerId, booking.customerId);
  const { serviceReminder } = await call(200, 'GET', `/reminders/services/${reminderCode}`);
  assert.deepEqual([serviceReminder.status, serviceReminder.newBookingId], ['booked', second.id]);
  await workIsDone();

  // The call knows what came of it, and the report shows each step.
  const known = (await call(200, 'GET', `/leads/calls/${callLead.id}`)).callLead;
  assert.deepEqual([known.customerId, known.bookingId], [booking.customerId, bookingId]);
  const today = (at: string) =>
    Temporal.Instant.from(at).toZonedDateTimeISO('Australia/Melbourne').toPlainDate();
  const period = `from=${today(calledAt)}&to=${today(await businessNow())}`;
  const report = await call(200, 'GET', `/reports/partner?${period}&workshopId=${workshopId}&groupBy=month`);
  const steps = {
    ...{ callLeads: 1, callLeadsBooked: 1, quotesRequested: 1, quotesAccepted: 1 },
    ...{ bookingsCreated: 2, bookingsCompleted: 1, bookingsPending: 1, bookingsConfirmed: 0 },
    ...{ bookingsCancelled: 0, remindersSent: 1, remindersBooked: 1 },
    // The automation's and the reminder; notices are the workshop's.
    ...{ messagesSent: 2, messagesDelivered: 0, messagesFailed: 0, messagesReceived: 1 },
  };
  const { smsSegments, ...totals } = report.totals;
  assert.deepEqual(totals, steps);
  assert.ok(smsSegments >= 2);
});
