/** A populated service to fuzz: partners, workshops of every kind, people, bookings, templates, and gateways that refuse. */

import { createHash } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { SmsGateway, SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { insertCustomer } from '#product/customers/store.ts';
import { createTemplate } from '#product/templates/create.ts';
import { publishTemplate } from '#product/templates/publish.ts';
import { setLink } from '#product/workshops/link.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { recordedSms } from '../harness/gateways.ts';
import { bookingBody, linkedWorkshop, type SignedInPartner, signedInPartner } from '../harness/world.ts';
import { noteChanges } from './changes.ts';
import type { Known } from './from-schema.ts';
import type { Header } from './headers.ts';
import { otherRecords } from './records.ts';
import type { Credentials } from './request.ts';
import { headerText } from './wild.ts';

export interface FuzzWorld {
  readonly app: TestApp;
  readonly known: Known;
  readonly credentials: Arbitrary<Credentials>;
  /** Of a partner that may do everything. */
  readonly goodCredentials: Arbitrary<Credentials>;
  /** From now on the SMS gateway accepts everything. */
  calm(): void;
  /** Operations that share a limit begin again. */
  forgetAttempts(): Promise<unknown>;
  /** A number that differs whenever the rows of any table do, bookkeeping aside. */
  fingerprint(): Promise<bigint>;
}

/** Rows that a refused request may leave: failures are counted, and a refresh token that was stolen is revoked. */
const bookkeeping = [
  'sign_in',
  'access_token',
  'refresh_token',
  'token_exchange',
  'attempt',
  'message_rate',
  'write_probe',
];

export async function fuzzWorld(): Promise<FuzzWorld> {
  // Sign-ins are limited by address, so each comes from another one.
  const sms = moodySms();
  const app = await startTestApp({
    config: { trustProxy: true, sandboxForced: true },
    gateways: () => ({ sms }),
  });
  const { db, clock } = app.context;
  const partner = await signedInPartner(app);
  const other = await signedInPartner(app, 'Another Fleet');
  // A sign-in to spend on refreshing.
  const { partnerId, appKey, secret } = partner;
  const signIn = { headers: { 'x-partner-id': partnerId }, body: { appKey, secret } };
  const spare = (await app.request('POST', '/auth/token', signIn)).body;

  const open = await linkedWorkshop(app, [partner, other]);
  const inboxOff = await linkedWorkshop(app, [partner], { inboxMessaging: 'off' });
  const unlinked = await linkedWorkshop(app, [partner]);
  const foreign = await linkedWorkshop(app, [other]);

  const customers: string[] = [];
  for (let count = 0; count < 60; count++) {
    const id = newId();
    const phone = `+614915${String(70_200 + count)}`;
    const person = {
      name: `Customer ${count}`,
      firstName: 'Customer',
      lastName: String(count),
      email: 'c@mail.example',
    };
    await insertCustomer(db, { id, workshopId: open, phone, ...person }, clock.now());
    customers.push(id);
  }
  for (const id of customers.slice(0, 5)) await setOptedOut({ db, clock }, id, true, actors.operator);

  const bookings: string[] = [];
  for (const workshopId of [open, open, open, open, open, open, inboxOff, unlinked]) {
    const changes = { customerPhone: `0491 570 ${100 + bookings.length}`, carRego: `FUZZ${bookings.length}` };
    const answer = await partner.call('POST', '/bookings', bookingBody(workshopId, changes));
    bookings.push(answer.body.booking.id);
  }
  await db.query(`UPDATE booking SET status = 'completed' WHERE id = $1`, [bookings[0]]);
  await db.query(`UPDATE booking SET status = 'cancelled' WHERE id = $1`, [bookings[1]]);
  await setLink({ db, clock }, { partnerId, workshopId: unlinked, active: false }, actors.operator);

  const templates: string[] = [];
  for (const body of ['Hi {{ customer.firstName }}', '{{ car.make }} at {{ booking.dateTime }}', 'Not yet']) {
    const { templateId } = await createTemplate(
      { db, clock },
      {
        workshopId: open,
        name: body.slice(0, 20),
        body,
      },
      actors.operator,
    );
    if (body !== 'Not yet') await publishTemplate({ db, clock }, templateId, actors.operator);
    templates.push(templateId);
  }
  const messages: string[] = [];
  for (const customerId of customers.slice(5, 8)) {
    const body = { customerId, channels: { sms: { message: 'Hello' } } };
    messages.push((await partner.call('POST', `/workshops/${open}/messages`, body)).body.sms.messageId);
  }

  const others = await otherRecords(app, partner, open, templates[0] ?? '');

  const cursors: string[] = [];
  for (const path of ['/workshops', `/workshops/${open}/templates`, '/sandbox/messages']) {
    cursors.push((await partner.call('GET', `${path}?limit=1`)).body.nextCursor ?? 'none');
  }

  const often = (usual: string, ...rarely: string[]) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(usual) },
      { weight: 2, arbitrary: fc.constantFrom(...rarely) },
    );
  const byName: Readonly<Record<string, Arbitrary<string>>> = {
    workshopId: often(open, inboxOff, unlinked, foreign),
    customerId: fc.constantFrom(...customers),
    bookingId: fc.constantFrom(...bookings),
    templateId: fc.constantFrom(...templates),
    messageId: fc.constantFrom(...messages),
    ...others,
    cursor: fc.constantFrom(...cursors),
    appKey: fc.constant(appKey),
    secret: often(secret, other.secret),
    token: often(spare.token, partner.token),
    refreshToken: often(spare.refreshToken, other.refreshToken),
    referenceId: fc.constantFrom('REF-1', 'REF-2', 'REF-3', 'REF-4'),
    'idempotency-key': fc.constantFrom('key-1', 'key-2', 'key-3'),
    'if-match': fc.constantFrom('*', '"1"', '"2"', 'W/"1"', '"1", "2"'),
  };
  const anyPhone = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((digits) => `04${digits}`);
  const known: Known = (name) =>
    /phone$/i.test(name) ? anyPhone : (byName[name] ?? byName[name.toLowerCase()]);

  return {
    app,
    known,
    credentials: anyCredentials(partner, other),
    goodCredentials: goodCredentials(partner),
    calm: sms.calm,
    forgetAttempts: () => db.query('DELETE FROM attempt'),
    fingerprint: await noteChanges(db, bookkeeping),
  };
}

/** The number decides the outcome of a message: most are accepted. */
function moodySms(): SmsGateway & { calm(): void } {
  const outcomes: SmsOutcome[] = [
    { state: 'refused', permanent: true, reason: 'refused', detail: 'No.' },
    { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Not now.' },
    { state: 'refused', permanent: true, reason: 'invalidNumber', detail: 'No such number.' },
    { state: 'unknown', detail: 'No answer.' },
  ];
  const gateway = recordedSms();
  let isCalm = false;
  return {
    ...gateway,
    calm() {
      isCalm = true;
    },
    async send(sms, signal) {
      if (isCalm) return gateway.send(sms, signal);
      const draw = createHash('sha256').update(sms.to).digest()[0] ?? 0;
      if (draw === 255) throw new Error('the line broke');
      return outcomes[draw] ?? outcomes[draw - 20] ?? gateway.send(sms, signal);
    },
  };
}

const address = fc.ipV4().map((from): Header => ['x-forwarded-for', from]);

function goodCredentials({ token, partnerId }: SignedInPartner): Arbitrary<Credentials> {
  const headers: Header[] = [
    ['authorization', `Bearer ${token}`],
    ['x-partner-id', partnerId],
  ];
  return address.map((from) => ({ headers: [...headers, from], valid: true }));
}

function anyCredentials(partner: SignedInPartner, other: SignedInPartner): Arbitrary<Credentials> {
  const id: Header = ['x-partner-id', partner.partnerId];
  const bearer: Header = ['authorization', `Bearer ${partner.token}`];
  const refused = fc.constantFrom<Header[]>(
    ...([
      [],
      [id],
      [bearer],
      [['authorization', `Bearer ${partner.token.slice(0, -1)}`], id],
      [['authorization', `Bearer ${partner.refreshToken}`], id],
      [['authorization', `Basic ${partner.token}`], id],
      [['authorization', partner.token], id],
      [['authorization', 'Bearer'], id],
      [['authorization', `Bearer ${'x'.repeat(9_000)}`], id],
      [bearer, ['x-partner-id', other.partnerId]],
      [bearer, ['x-partner-id', newId()]],
      [bearer, ['x-partner-id', 'x'.repeat(9_000)]],
      [bearer, id, id],
      [['authorization', `Bearer ${partner.token}, Bearer ${other.token}`], id],
    ] satisfies Header[][]),
  );
  const open = fc.oneof(
    headerText.map((value): Header[] => [bearer, ['x-partner-id', value]]),
    headerText.map((value): Header[] => [['authorization', value], id]),
    headerText.map((value): Header[] => [['authorization', `Bearer ${value}`], id]),
    fc.constant<Header[]>([bearer, bearer, id]),
    fc.constant<Header[]>([
      ['authorization', `bearer   ${partner.token}`],
      ['x-partner-id', partner.partnerId.toUpperCase()],
    ]),
  );
  const others: Header[] = [
    ['authorization', `Bearer ${other.token}`],
    ['x-partner-id', other.partnerId],
  ];
  const sets = fc.oneof(
    { weight: 16, arbitrary: fc.constant({ headers: [bearer, id], valid: true as const }) },
    { weight: 2, arbitrary: fc.constant({ headers: others, valid: true as const }) },
    { weight: 2, arbitrary: refused.map((headers) => ({ headers, valid: false as const })) },
    { weight: 1, arbitrary: open.map((headers) => ({ headers, valid: null })) },
  );
  return fc
    .tuple(sets, address)
    .map(([{ headers, valid }, from]) => ({ headers: [...headers, from], valid }));
}
