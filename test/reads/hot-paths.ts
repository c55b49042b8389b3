/** Every frequent action of partners, customers and gateways, over HTTP and in background work. */

import assert from 'node:assert/strict';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { actionNames } from '#product/webhooks/actions.ts';
import { type ScheduledWork, schedule } from '#work.ts';
import { quoteBody } from '../fixtures/quote-api.ts';
import { publishedTemplate } from '../fixtures/templates.ts';
import { startReceiver } from '../fixtures/webhooks.ts';
import type { Answer, TestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import type { Crowd } from './crowd.ts';

export interface HotPaths extends Crowd {
  /** Requests of partners; the same each time, for other people. */
  requests(round: number): Promise<void>;
  /** Callbacks of gateways, and the worker's work, after the requests of the same round. */
  background(round: number): Promise<void>;
}

/** What runs each minute or less often may read a table; ANALYZE is the other half of the test. */
const often = ({ name, everyMs }: ScheduledWork) => everyMs < 60_000 && name !== 'analyseYoungTables';

export async function hotPaths(app: TestApp): Promise<HotPaths> {
  const { context } = app;
  const { db, clock } = context;
  const partner = await signedInPartner(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  const templateId = await publishedTemplate(
    { db, clock },
    {
      workshopId,
      name: 'Ready',
      body: 'Hi {{ customer.firstName }}, {{ car.rego }} is ready.',
    },
  );
  const sections = { settings: { horizonDays: 3_650 }, categories: [{ code: 'tyres', dailyLimit: 5 }] };
  await importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...sections }), actors.operator);
  const { partnerId, appKey, secret } = partner;
  const phones = new Map<number, string>();
  const messages = `/workshops/${workshopId}/messages`;

  async function call(status: number, ...request: Parameters<typeof partner.call>): Promise<Answer['body']> {
    const answer = await partner.call(...request);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body;
  }

  const receiver = await startReceiver();
  const { webhook } = await call(201, 'POST', '/webhooks', { url: receiver.url, actions: actionNames });

  async function tokens(): Promise<void> {
    const headers = { 'x-partner-id': partnerId };
    const issued = await app.request('POST', '/auth/token', { headers, body: { appKey, secret } });
    const { token, refreshToken } = issued.body;
    const refreshed = await app.request('POST', '/auth/refresh', { headers, body: { token, refreshToken } });
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
  }

  async function bookings(round: number): Promise<string> {
    const phone = (n: number) => `+6149157${String(round * 10 + n).padStart(4, '0')}`;
    const body = bookingBody(workshopId, { customerPhone: phone(1), carRego: `R${round}` });
    const { booking } = await call(201, 'POST', '/bookings', body);
    await call(201, 'POST', '/bookings', body);
    const headers = { 'idempotency-key': `key-${round}` };
    for (const _ of ['first', 'replay']) {
      await call(201, 'POST', '/bookings', { ...body, customerPhone: phone(2) }, { headers });
    }
    await call(200, 'GET', `/bookings/${booking.id}`);
    for (const change of [
      { notes: 'New' },
      { date: '2030-04-02T22:30:00Z' },
      { carRego: `S${round}` },
      { customerPhone: phone(3) },
      { customerPhone: phone(2) },
      { customerName: 'Sam Other' },
    ]) {
      await call(200, 'PUT', `/bookings/${booking.id}`, change);
    }
    await call(200, 'GET', '/workshops?limit=10');
    await call(200, 'POST', `/bookings/${booking.id}/confirmed`);
    for (const query of [
      'limit=10',
      `limit=10&status=confirmed&workshopId=${workshopId}`,
      `limit=10&workshopId=${workshopId}&from=2030-04-02T22:00:00Z&to=2030-04-02T23:00:00Z`,
      'externalId=none',
      `limit=10&updatedSince=${new Date(clock.now().getTime() - 60_000).toISOString()}`,
    ]) {
      await call(200, 'GET', `/bookings?${query}`);
    }
    await call(200, 'GET', `/workshops/${workshopId}/services`);
    const wanted = ['', '&serviceCategory=tyres'];
    for (const wish of wanted) {
      await call(200, 'GET', `/workshops/${workshopId}/availabilities?from=2030-03-04${wish}`);
    }
    return booking.id;
  }

  async function texts(round: number, bookingId: string): Promise<void> {
    const { booking } = await call(200, 'GET', `/bookings/${bookingId}`);
    const phone = booking.customer.phone;
    const to = { phone, channels: { sms: { message: 'Your car is ready.' } } };
    const { sms } = await call(200, 'POST', messages, { ...to, bookingId });
    assert.equal(sms.sent, true);
    await call(200, 'POST', messages, { ...to, phone: `+6149158${1_000 + round}` });
    const referenceId = `reference-${round}`;
    for (const _ of ['first', 'replay']) {
      await call(200, 'POST', messages, {
        ...to,
        phone: undefined,
        customerId: booking.customerId,
        referenceId,
      });
    }
    await call(200, 'POST', messages, { ...to, bookingId, channels: { sms: { templateId } } });
    await call(200, 'GET', `${messages}/${sms.messageId}`);
    await call(200, 'GET', `/workshops/${workshopId}/templates`);

    phones.set(round, phone);
  }

  async function reminders(round: number): Promise<void> {
    const path = '/reminders/services';
    const to = { workshopId, customerPhone: `+6149159${1_000 + round}`, externalId: `reminder-${round}` };
    const headers = { 'idempotency-key': `reminder-${round}` };
    const { serviceReminder } = await call(201, 'POST', path, { ...to, carRego: `T${round}` }, { headers });
    await call(201, 'POST', path, to, { headers });
    const sendAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
    const later = await call(201, 'POST', path, { ...to, customerPhone: phones.get(round), sendAt });
    await call(200, 'GET', `${path}/${serviceReminder.code}`);
    await call(200, 'POST', `${path}/${later.serviceReminder.id}/cancel`);
    const { customerId, code } = serviceReminder;
    for (const query of [
      'limit=5',
      `limit=5&workshopId=${workshopId}&status=sent`,
      `customerId=${customerId}`,
      `externalId=reminder-${round}`,
      `limit=5&updatedSince=${new Date(clock.now().getTime() - 60_000).toISOString()}`,
    ]) {
      await call(200, 'GET', `${path}?${query}`);
    }
    const body = bookingBody(workshopId, { customerPhone: to.customerPhone, carRego: `T${round}` });
    await call(201, 'POST', '/bookings', { ...body, reminderCode: code });
  }

  async function quotes(round: number): Promise<void> {
    const asked = {
      customerPhone: `+6149160${1_000 + round}`,
      carRego: `Q${round}`,
      externalId: `quote-${round}`,
    };
    const headers = { 'idempotency-key': `quote-${round}` };
    const { quote } = await call(201, 'POST', '/quotes', quoteBody(workshopId, asked), { headers });
    await call(201, 'POST', '/quotes', quoteBody(workshopId, { customerPhone: phones.get(round) }));
    await call(200, 'GET', `/quotes/${quote.id}`);
    for (const query of [
      'limit=5',
      `limit=5&workshopId=${workshopId}&status=requested`,
      `externalId=quote-${round}`,
      `limit=5&updatedSince=${new Date(clock.now().getTime() - 60_000).toISOString()}`,
    ]) {
      await call(200, 'GET', `/quotes?${query}`);
    }
  }

  async function published(): Promise<void> {
    const since = new Date(clock.now().getTime() - 60_000).toISOString();
    await call(200, 'GET', `/events?limit=5&updatedSince=${since}`);
    await call(200, 'GET', `/webhooks/${webhook.id}`);
  }

  async function calls(round: number): Promise<void> {
    const body = {
      workshopId,
      callerPhone: phones.get(round),
      calledAt: clock.now().toISOString(),
      outcome: 'missed',
      externalId: `call-${round}`,
    };
    const { callLead } = await call(201, 'POST', '/leads/calls', body);
    await call(200, 'POST', '/leads/calls', { ...body, outcome: 'answered' });
    await call(200, 'GET', `/leads/calls/${callLead.id}`);
    const from = new Date(clock.now().getTime() - 60_000).toISOString();
    for (const query of [
      'limit=5',
      `limit=5&workshopId=${workshopId}&outcome=missed`,
      `limit=5&from=${from}`,
      `externalId=call-${round}`,
    ]) {
      await call(200, 'GET', `/leads/calls?${query}`);
    }
  }

  async function brought(round: number): Promise<void> {
    const reference = app.sms.sent.at(-1)?.reference ?? '';
    const segment = { id: `segment-${round}`, of: 1 };
    await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null, segment });
    await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null });
    const from = phones.get(round) ?? '';
    for (const body of ['Thank you', 'STOP', 'START']) {
      await receiveSms(context, 'recorded', { gatewayId: newId(), from, to: '', body });
    }
  }

  return {
    partnerId,
    workshopId,
    webhookId: webhook.id,
    async requests(round) {
      await tokens();
      await texts(round, await bookings(round));
      await calls(round);
      await reminders(round);
      await quotes(round);
      await published();
    },
    async background(round) {
      await brought(round);
      await app.drain();
      for (const { run } of schedule.filter(often)) await run(context);
      await app.drain();
    },
  };
}
