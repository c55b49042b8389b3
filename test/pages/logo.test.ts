/** What is kept of a logo is a picture that a browser draws; a page with one is accessible, on a phone beside a wide one too. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { dataUrlOf, readLogo } from '#product/workshops/logo/logo.ts';
import { demoLogo } from '../../src/operation/demo/logo.ts';
import { bookingWorld } from '../fixtures/booking-api.ts';
import { browserPictures, dataUrl, pngOf } from '../fixtures/logos.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, dark, phone, picture } from './customer.ts';
import { visit } from './visit.ts';

test('each kind is drawn as it was, without what was left out', { skip: noBrowser }, async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const pictures = { ...browserPictures, palette: pngOf(40, 24) };
  for (const [name, bytes] of Object.entries(pictures)) {
    const urls = [`data:image/x;base64,${bytes.toString('base64')}`, dataUrlOf(readLogo(bytes))];
    const drawn = await page.evaluate(`Promise.all(${JSON.stringify(urls)}.map(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 24 });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return [image.naturalWidth, image.naturalHeight, canvas.toDataURL()].join();
    }))`);
    const [before, after] = drawn as string[];
    assert.match(after ?? '', /^40,24,/, name);
    assert.equal(after, before, name);
  }
  await browser.close();
});

test('a page with a square logo, and with a wide one', { skip: noBrowser }, async () => {
  const browser = await launchBrowser();
  const { app, partner, workshopId } = await bookingWorld();
  const { body } = await partner.call('GET', `/workshops/${workshopId}/booking-url`);
  const page = { cancellationText: 'Free until the day before.', termsUrl: 'https://harbour.example/terms' };
  for (const [name, bytes] of Object.entries({ square: demoLogo('#c2410c'), wide: pngOf(400, 80) })) {
    const settings = { colour: '#c2410c', page: { ...page, logo: dataUrl('png', bytes) } };
    const file = { workshopId, address: '21 Yarra Street, Geelong', hours: {}, settings };
    await importWorkshop(app.context, JSON.stringify(file), actors.operator);
    for (const [how, options] of Object.entries({ phone, dark })) {
      const visited = await visit(browser, body.url, options);
      await visited.page.getByRole('heading', { name: 'Opening hours' }).waitFor();
      assert.ok(Number(await visited.page.evaluate(`document.querySelector('.logo').naturalWidth`)) > 0);
      await assertAccessible(visited.page);
      await picture(visited.page, `logo-${name}-${how}`);
      await visited.close();
    }
  }
  await browser.close();
});
