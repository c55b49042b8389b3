/** The workshop's logo in e-mails to its customers: which one goes along, and what stands in its place (specification: Notices 12). */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { actors } from '#base/values/actor.ts';
import { carriedAtMostBytes } from '#product/workshops/logo/store.ts';
import { happen, insertWorld, workContext, workshop } from '../../../test/fixtures/booking-events.ts';
import { browserPictures, pngChunk, pngOf, pngStart } from '../../../test/fixtures/logos.ts';
import { carriedLogo, noticeEmail } from '../../../test/fixtures/notice-emails.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { drain } from '../../../test/harness/drain.ts';
import { demoLogo } from '../../operation/demo/logo.ts';
import { setLogo } from '../workshops/logo/set.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
const world = await insertWorld(db);
const other = await insertWorld(db);

async function mailsWith(logo: Buffer | null, of = world) {
  await setLogo({ db, clock: ctx.clock }, of.workshopId, logo, actors.operator);
  ctx.email.clear();
  await happen(db, of);
  await drain(ctx);
  const [toCustomer] = ctx.email.to(of.booking.customer.email ?? '');
  const [toWorkshop] = ctx.email.to(workshop.email);
  assert.ok(toCustomer && toWorkshop);
  return { toCustomer, toWorkshop };
}

/** A square PNG of noise, which nothing shortens: three bytes a pixel. */
function noise(side: number): Buffer {
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0]);
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.of(0), randomBytes(side * 3)]));
  const pixels = pngChunk('IDAT', deflateSync(Buffer.concat(rows)));
  return Buffer.concat([pngStart, pngChunk('IHDR', header), pixels, pngChunk('IEND')]);
}

test('the customer’s e-mail carries the logo, in place of the bar with the name; the workshop’s own keeps the bar', async () => {
  const file = demoLogo('#0a7d5a');
  const { toCustomer, toWorkshop } = await mailsWith(file);
  const { logo, html, calendar } = toCustomer;
  assert.deepEqual([logo?.kind, logo?.content.length], ['png', file.length]);
  assert.match(html, new RegExp(`<img src="cid:${logo?.cid}" width="56" height="56" alt="Harbour Motors"`));
  assert.doesNotMatch(html, /class="brand"/);
  assert.equal(calendar?.method, 'REQUEST');
  assert.deepEqual([toWorkshop.logo, /cid:/.test(toWorkshop.html)], [undefined, false]);
  assert.match(toWorkshop.html, /class="brand"[^>]*>Harbour Motors</);
});

test('a JPEG goes along; a wide one has no name beside it', async () => {
  const { toCustomer } = await mailsWith(browserPictures.jpeg);
  assert.equal(toCustomer.logo?.kind, 'jpeg');
  assert.match(toCustomer.html, /aria-hidden="true"[^>]*>Harbour Motors</);
  const wide = (await mailsWith(pngOf(600, 120))).toCustomer.html;
  assert.match(wide, /width="240" height="48" alt="Harbour Motors"/);
  assert.doesNotMatch(wide, /aria-hidden="true"[^>]*>Harbour Motors</);
});

test('none, a WebP and one over 64 KB leave the bar with the name', async () => {
  const [fits, isLarge] = [noise(145), noise(160)];
  assert.ok(fits.length <= carriedAtMostBytes && isLarge.length > carriedAtMostBytes);
  assert.ok((await mailsWith(fits)).toCustomer.logo?.content.equals(fits));
  for (const logo of [null, browserPictures.webp, isLarge]) {
    const { toCustomer } = await mailsWith(logo);
    assert.equal(toCustomer.logo, undefined);
    assert.match(toCustomer.html, /class="brand"[^>]*>Harbour Motors</);
    assert.doesNotMatch(toCustomer.html, /cid:/);
  }
});

test('always: a workshop’s logo is in its own e-mails alone', async () => {
  await mailsWith(demoLogo('#c2410c'), other);
  const { toCustomer } = await mailsWith(null);
  assert.equal(toCustomer.logo, undefined);
});

test('a name is no markup beside a logo, nor as its text', () => {
  const name = `<img src=x onerror=alert(1)>"'&`;
  const { html } = noticeEmail({ name, logo: carriedLogo(pngOf(40, 40)) });
  assert.equal(html.match(/<img/g)?.length, 1);
  assert.doesNotMatch(html, /<img src=x|"'&/);
});
