/** Notices of quotes: who gets them, their texts, a workshop's own texts (specification: Quotes 5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { phoneIn } from '#base/values/phone.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { acceptQuote } from '#product/quotes/accept.ts';
import { declineQuote } from '#product/quotes/decline.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { createTemplate } from '#product/templates/create.ts';
import { reactions } from '#reactions.ts';
import { quoteWorld } from '../../../../test/fixtures/quote-api.ts';
import { publishedTemplate } from '../../../../test/fixtures/templates.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const { app, partner, ask } = await quoteWorld({ config: { publicUrl: 'https://quotes.example' } });
const { context } = app;
const { db, clock } = context;
let phones = 320;

/** A workshop with its own phone and address, and a customer who requests a quote. */
async function asked(changes: object = {}) {
  const [n, m] = [phones++, phones++];
  const [desk, phone] = [`+61491570${n}`, `+61491570${m}`];
  const [deskMail, mail] = [`desk${n}@w.example`, `c${m}@mail.example`];
  const workshopId = await linkedWorkshop(app, [partner], { phone: desk, email: deskMail });
  const quote = await ask({ workshopId, customerPhone: phone, customerEmail: mail, ...changes });
  const sent = async () => {
    await app.drain();
    const sms = (to: string) => app.sms.to(to).map(({ body }) => body);
    const mails = (to: string) => app.email.to(to);
    return { toDesk: sms(desk), toCustomer: sms(phone), mailsToDesk: mails(deskMail), mails: mails(mail) };
  };
  const price = (lines = ['Brake pads:2:94.50', 'Labour:1.5:120'], message?: string) =>
    priceQuote(context, { actor: actors.operator, quoteId: quote.id, lines, validDays: '14', message });
  return { quote, workshopId, sent, price };
}

test('requested: the workshop, by SMS and e-mail; nobody with skipNotification', async () => {
  const { quote, sent } = await asked({ services: [{ title: 'Brake pads' }, { title: 'Wash' }] });
  const { toDesk, toCustomer, mailsToDesk, mails } = await sent();
  assert.deepEqual(toDesk, [
    `New quote request ${quote.code} for ABC123: Brake pads, Wash. Sam Taylor ${phoneIn('AU', quote.customer.phone ?? '')}`,
  ]);
  assert.equal(mailsToDesk[0]?.subject, `New quote request ${quote.code}: ABC123, Brake pads, Wash`);
  assert.match(mailsToDesk[0]?.text ?? '', /Sam Taylor asks for a quote/);
  assert.deepEqual([toCustomer, mails, mailsToDesk.length], [[], [], 1]);
  const silent = await asked({ skipNotification: true });
  assert.deepEqual(await silent.sent(), { toDesk: [], toCustomer: [], mailsToDesk: [], mails: [] });
});

test('the customer’s e-mail of an offer names the car as its owner knows it (specification: Booking page 9)', async () => {
  const known = { carYear: 2019, carMake: 'Toyota', carModel: 'Corolla' };
  const { sent, price } = await asked({ skipNotification: true, ...known });
  await price();
  assert.match(
    (await sent()).mails[0]?.text ?? '',
    /This is your quote for 2019 Toyota Corolla \(ABC123\)\./,
  );
});

test('quoted: the customer, by SMS and e-mail with the link; again when it is priced again', async () => {
  const { quote, sent, price } = await asked({ skipNotification: true });
  await price(undefined, 'Both front wheels.');
  const first = await sent();
  const link = `https://quotes.example/q/${quote.code}`;
  assert.equal(first.toCustomer.length, 1);
  assert.match(
    first.toCustomer[0] ?? '',
    /^Harbour Motors: your quote for ABC123 is \$369\.00, valid until /,
  );
  assert.ok(first.toCustomer[0]?.endsWith(`Accept or decline: ${link}`));
  const [mail] = first.mails;
  assert.equal(mail?.subject, 'Your quote from Harbour Motors: $369.00');
  for (const part of [mail?.text, mail?.html]) {
    for (const shown of [
      'Both front wheels.',
      link,
      'Brake pads (2 × $94.50)',
      'Labour (1.5 × $120.00)',
      '$180.00',
    ])
      assert.ok(part?.includes(shown), shown);
  }
  assert.match(mail?.html ?? '', new RegExp(`<a href="${link}"[^>]*>See and answer your quote</a>`));
  assert.match(mail?.text ?? '', new RegExp(`^See and answer your quote:\\n${link}$`, 'm'));
  assert.deepEqual([mail?.calendar, first.toDesk], [null, []]);
  await price(['Brake pads:1:50']);
  const second = await sent();
  assert.deepEqual([second.toCustomer.length, second.mails.length], [2, 2]);
  assert.match(second.toCustomer[1] ?? '', /\$50\.00,/);
});

test('declined by the customer: the workshop; accepted: the workshop, with the booking, and the customer by the booking', async () => {
  const declined = await asked({ skipNotification: true });
  await declined.price();
  await declineQuote(context, declined.quote.id, actors.customerByLink('r'));
  const after = await declined.sent();
  assert.match(after.toDesk[0] ?? '', /^Quote \w{10} declined \(\$369\.00\): ABC123, Sam Taylor/);
  assert.match(after.mailsToDesk[0]?.subject ?? '', /declined: \$369\.00, ABC123/);
  assert.equal(after.toCustomer.length, 1);

  const accepted = await asked({ skipNotification: true });
  await accepted.price();
  const start = new Date(clock.now().getTime() + 7 * 86_400_000);
  const date = start.toISOString().slice(0, 10);
  const { body } = await partner.call('GET', `/workshops/${accepted.workshopId}/availabilities?from=${date}`);
  const slot = body.days.flatMap(({ slots }: { slots: { time: string }[] }) => slots)[0];
  await acceptQuote(context, accepted.quote.id, slot.time, actors.customerByLink('r'));
  const told = await accepted.sent();
  assert.equal(told.toDesk.length, 1, 'one notice of it all');
  assert.match(
    told.toDesk[0] ?? '',
    /^Quote \w{10} accepted \(\$369\.00\): booking [0-9A-Z]{8} for ABC123 on /,
  );
  assert.equal(told.mailsToDesk.length, 1);
  assert.ok(told.toCustomer.some((text) => text.includes('we have received your booking')));
  assert.ok(told.mails.some(({ calendar }) => calendar?.method === 'REQUEST'));
});

test('a customer who has opted out gets only the e-mail', async () => {
  const { quote, sent, price } = await asked({ skipNotification: true });
  await setOptedOut({ db, clock }, quote.customerId, true, actors.operator);
  await price();
  const { toCustomer, mails } = await sent();
  assert.deepEqual([toCustomer, mails.length], [[], 1]);
});

test("a workshop's own text replaces the default; quote.* works only in notices of quotes", async () => {
  const { workshopId, sent, price } = await asked({ skipNotification: true });
  const text = '{{ quote.total }} for {{ quote.lines }}, {{ car.rego }}, {{ quote.services }}';
  const own = { workshopId, name: 'Own', purpose: 'quoteQuoted.customer.sms', body: text };
  await publishedTemplate({ db, clock }, own);
  await price();
  assert.deepEqual((await sent()).toCustomer, [
    '$369.00 for Brake pads $189.00, Labour $180.00, ABC123, Brake pads',
  ]);
  for (const purpose of ['inbox', 'bookingCreated.customer.sms']) {
    await assert.rejects(
      createTemplate({ db, clock }, { ...own, name: purpose, purpose }, actors.operator),
      /notices of quotes only/,
    );
  }
});

test('messages that are queued when the customer is erased: the customer’s are given up, the workshop’s no longer name the customer', async () => {
  const { quote, price } = await asked({ customerName: 'Mona Markname' });
  await price(undefined, 'Dear Mona');
  await relayBatch(context, reactions);
  await eraseCustomer({ db, clock }, quote.customerId, actors.operator);
  const rows = await db.query<{ audience: string; reason: string | null; body: string }>(
    `SELECT audience, reason, body FROM message WHERE series_id = $1 AND channel = 'sms' ORDER BY audience`,
    [quote.id],
  );
  assert.deepEqual(
    rows.map(({ audience, reason }) => [audience, reason]),
    [
      ['customer', 'erased'],
      ['workshop', null],
    ],
  );
  assert.match(rows[1]?.body ?? '', new RegExp(`^New quote request ${quote.code} for ERASED`));
  assert.doesNotMatch(JSON.stringify(rows), /Mona|\+61491570/);
});
