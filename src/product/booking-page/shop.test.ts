/** The workshop's data on its pages: logo, address, hours, policies, descriptions, tax label; and how its logo is served. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { categoryLabels } from '#product/catalogue/categories.ts';
import { browserPictures, dataUrl, pngOf } from '../../../test/fixtures/logos.ts';
import { quoteWorld } from '../../../test/fixtures/quote-api.ts';
import { pricedQuote } from '../../../test/fixtures/quote-pages.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';
import { demoSetup } from '../../operation/demo/setup.ts';
import { setLogo } from '../workshops/logo/set.ts';

const world = await quoteWorld({ config: { publicUrl: 'https://book.example' } });
const { app, partner, workshopId } = world;
const { db, clock } = app.context;
const setUp = (sections: object) =>
  importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...sections }), actors.operator);
const { settings, hours, services } = demoSetup(0);
await setUp({
  address: '21 Yarra St & Co, Geelong',
  settings: { ...settings, enforceAvailability: false },
  hours,
  services,
});

const page = async (path: string) => {
  const response = await app.request('GET', path);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return { text: String(response.body), headers: response.headers };
};
async function bookPath(): Promise<string> {
  const { body } = await partner.call('GET', `/workshops/${workshopId}/booking-url`);
  return body.url.replace('https://book.example', '');
}
const logoOf = (text: string) => /<img class="logo" src="([^"]+)"/.exec(text)?.[1];

test('address with a map, hours, policies, descriptions and prices (specification: Booking page 18)', async () => {
  const path = await bookPath();
  const { text, headers } = await page(path);
  assert.match(
    text,
    /href="https:\/\/www\.google\.com\/maps\/search\/\?api=1&amp;query=21\+Yarra\+St\+%26\+Co%2C\+Geelong" target="_blank" rel="noopener noreferrer">21 Yarra St &amp; Co, Geelong</,
  );
  assert.match(
    text,
    /<dt>Mon – Fri<\/dt><dd><span>7:30 am – 12:30 pm<\/span> <span>1:00 pm – 5:30 pm<\/span>/,
  );
  assert.match(text, /<dt>Sun<\/dt><dd><span>Closed<\/span>/);
  assert.match(text, /href="https:\/\/demo\.example\/terms"[^>]*>Terms</);
  assert.match(text, /href="https:\/\/demo\.example\/privacy"[^>]*>Privacy notice</);
  assert.match(text, /Up to 5 litres of synthetic oil/);
  assert.match(text, />\$129\.00 – \$189\.00</);
  assert.match(text, /Prices incl\. GST\./);
  assert.match(headers.get('content-security-policy') ?? '', /img-src 'self';/);

  const [service] = (await partner.call('GET', `/workshops/${workshopId}/services`)).body.services;
  assert.equal('description' in service, false, 'the wire has none');
  const from = `service=${service._id}`;
  const times = await page(`${path}&${from}`);
  const time = /time=(20[^"&]+)/.exec(times.text)?.[1] ?? assert.fail('no time');
  const details = await page(`${path}&${from}&time=${time}`);
  assert.match(details.text, /Price<\/dt><dd><bdi>\$249\.00 – \$420\.00 incl\. GST/);
  assert.match(
    details.text,
    /Cancelling<\/strong><\/p><p class="message">Free of charge until 24 hours before/,
  );
  assert.match(details.text, /Please read: <a href="https:\/\/demo\.example\/terms"/);
});

test('quotes have totals with cents and the word about taxes; where one accepts and cancels, the policies (specification: Booking page 18)', async () => {
  const quote = await pricedQuote(world);
  assert.match((await page(`/q/${quote.code}`)).text, /Total incl\. GST<\/th><td>\$369\.00</);
  const times = await page(`/q/${quote.code}/accept`);
  const time = /time=(20[^"&]+)/.exec(times.text)?.[1];
  const confirm = await page(`/q/${quote.code}/accept?time=${time}`);
  assert.match(confirm.text, /Total incl\. GST<\/dt><dd><bdi>\$369\.00/);
  assert.match(confirm.text, /Please read: /);
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
  const code = await manageCode(db, body.booking.id);
  assert.match((await page(`/b/${code}/cancel`)).text, /Free of charge until 24 hours before/);
  assert.match(
    (await page(`/b/${code}`)).text,
    /<dt>Where<\/dt><dd><bdi><a href="https:\/\/www\.google\.com\/maps/,
  );
});

test('a link’s preview shows the workshop alone, with its logo; the icon is the logo, or a mark of colour and letter (specification: Booking page 19)', async () => {
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
  const code = await manageCode(db, body.booking.id);
  const { text } = await page(`/b/${code}`);
  const properties = Object.fromEntries(
    [...text.matchAll(/<meta property="(og:[^"]+)" content="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const logo = logoOf(text) ?? '';
  assert.deepEqual(properties, {
    'og:type': 'website',
    'og:site_name': 'Harbour Motors',
    'og:title': 'Your booking · Harbour Motors',
    'og:description': '21 Yarra St &amp; Co, Geelong · Phone (03) 5550 1234',
    'og:image': `https://book.example${logo}`,
    'og:image:width': '128',
    'og:image:height': '128',
    'og:image:alt': 'Harbour Motors',
  });
  assert.ok(text.includes(`<link rel="icon" href="${logo}">`));

  // A wide logo can't be an icon.
  await setLogo({ db, clock }, workshopId, pngOf(200, 40), actors.operator);
  const wide = await page(`/b/${code}`);
  assert.match(logoOf(wide.text) ?? '', /\.png$/);
  assert.match(wide.text, /<link rel="icon" href="\/pages\/marks\/0a7d5a-48\.svg"/);
  await setLogo({ db, clock }, workshopId, null, actors.operator);
  const none = await page(`/b/${code}`);
  assert.equal(logoOf(none.text), undefined);
  assert.match(none.text, /<span class="mark" aria-hidden="true">H<\/span>/);
  assert.doesNotMatch(none.text, /og:image/);
  const mark = await app.request('GET', '/pages/marks/0a7d5a-48.svg');
  assert.equal(mark.headers.get('content-type'), 'image/svg+xml');
  assert.match(String(mark.body), /fill="#0a7d5a".*>H<\/text>/);
  for (const wrong of ['0a7d5a-3c', '0a7d5a-d800', '0a7d5a-fffff', '0a7d5-48', 'x', '0A7D5A-48']) {
    assert.equal((await app.request('GET', `/pages/marks/${wrong}.svg`)).status, 404, wrong);
  }
});

test('a workshop that was never set up shows no hours, address, policies and taxes (specification: Booking page 13)', async () => {
  const plain = await linkedWorkshop(app, [partner]);
  const { body } = await partner.call('GET', `/workshops/${plain}/booking-url`);
  const { text } = await page(body.url.replace('https://book.example', ''));
  for (const absent of ['Opening hours', 'maps', 'Terms', 'Privacy', 'incl.'])
    assert.ok(!text.includes(absent));
  // Without a catalogue the four categories are offered.
  const { others: _, ...named } = categoryLabels;
  for (const category of [...Object.values(named), 'others'])
    assert.ok(text.includes(category.replace('&', '&amp;')), category);
});

test('a logo is served as what it is, for good, and can do nothing; another address has none (specification: Setting up a workshop 6)', async () => {
  for (const [kind, bytes] of Object.entries({ jpeg: browserPictures.jpeg, webp: browserPictures.webp })) {
    await setUp({ settings: { page: { logo: dataUrl(kind, bytes) } } });
    const path = logoOf((await page(await bookPath())).text) ?? '';
    const response = await fetch(`${app.url}${path}`);
    const { status, headers } = response;
    assert.deepEqual([status, headers.get('content-type')], [200, `image/${kind}`]);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    const [row] = await db.query<{ content: Buffer }>(
      'SELECT content FROM workshop_logo WHERE workshop_id = $1',
      [workshopId],
    );
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(row?.content ?? Buffer.of()));
    // The kind in the path must match: the same picture under another kind is not found.
    const other = path.replace(/\w+$/, kind === 'jpeg' ? 'png' : 'jpeg');
    assert.equal((await fetch(`${app.url}${other}`)).status, 404);
  }
  for (const path of ['x', `${'A'.repeat(22)}.png`, `${'A'.repeat(22)}.svg`, '..%2f..%2fetc.png']) {
    assert.equal((await fetch(`${app.url}/pages/logos/${path}`)).status, 404);
  }
});
