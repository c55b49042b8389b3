/** Blasts and automations of the workshop, in a browser: stopped by keyboard on an open page that hears of a pause, and checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { actors } from '#base/values/actor.ts';
import { changeBlast } from '#product/campaigns/blasts/change.ts';
import { triggerOwnBlast } from '#product/campaigns/blasts/own.ts';
import { automationWorld } from '../fixtures/campaigns.ts';
import { baseOf, type Person, signedInPerson } from '../fixtures/office.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { picture } from './customer.ts';
import { press } from './keyboard.ts';
import { faultsOfLooks } from './looks.ts';
import { openConsole, says } from './office.ts';

let world: Awaited<ReturnType<typeof automationWorld>>;
let browser: Browser;
let base = '';
let owner: Person;
let winter = '';
let spring = '';
let thanks = '';

before(async () => {
  if (noBrowser) return;
  world = await automationWorld();
  const { app, db, context, workshopId, blast, automation, template, customers, trigger, work } = world;
  base = await baseOf(app, workshopId);
  owner = await signedInPerson(app, [workshopId]);
  browser = await launchBrowser();
  const people = await customers(12);
  await db.query(
    `UPDATE customer SET tags = '{fleet}', phone = '+642112345' || right(phone, 2) WHERE id = $1`,
    [people[0]],
  );
  const words = await template(
    'Hi {{ customer.firstName }}, it is time for winter tyres: call us, or book on our page. We have room from Monday on.',
  );
  const audience = JSON.stringify({
    ...{ lastVisitBefore: '2026-03-03', serviceCategories: ['service', 'tyres'] },
    ...{ carYearFrom: 2010, carYearTo: 2015, tags: ['fleet'] },
  });
  const later = await blast({ name: 'Old cars of the fleet', template: words, audience });
  await triggerOwnBlast(context, later, '2035-05-01 09:00', actors.operator);
  spring = await blast({ name: 'Spring', template: words });
  winter = await blast({ name: 'Winter tyres', template: words });
  thanks = await automation({
    ...{ name: 'Thank you', offsetMinutes: '0', template: words, quietHours: 'off' },
  });
  for (const customerId of people.slice(1, 4)) await trigger(thanks, { customerId });
  await automation({
    name: 'The day before',
    trigger: 'beforeBooking',
    offsetMinutes: '1440',
    template: words,
  });
  await work();
  await db.query(
    `INSERT INTO automation_run (id, workshop_id, automation_id, cause, customer_id, status, reason, due_at, created_at)
     SELECT gen_random_uuid(), $1, $2, 'test ' || its, its, 'skipped', 'tooLate', $4, $4 FROM unnest($3::uuid[]) AS its`,
    [workshopId, thanks, people.slice(5, 8), context.clock.now()],
  );
});
after(() => browser?.close());

const open = (path: string) => openConsole(browser, { app: world.app, owner }, `${base}/${path}`);

describe('blasts and automations', { skip: noBrowser }, () => {
  test('an open page of a blast hears that it begins and is paused; Stop by keyboard ends it and says for how many', async () => {
    const { context, work } = world;
    const { page, close } = await open(`blasts/${winter}`);
    await page.getByText('It is a draft').waitFor();
    await triggerOwnBlast(context, winter, undefined, actors.operator);
    await page.getByText('Scheduled', { exact: false }).first().waitFor();
    await work();
    await page.getByText('Being sent').or(page.getByText('✓ Sent')).first().waitFor();
    await close();
    const second = await world.blast({ name: 'Second' });
    await triggerOwnBlast(context, second, undefined, actors.operator);
    const stopped = await open(`blasts/${second}`);
    await changeBlast(context, second, 'pause', actors.operator);
    await stopped.page.getByRole('button', { name: 'Resume' }).waitFor();
    await picture(stopped.page, 'campaigns-paused-1280');
    await press(stopped.page, /^Stop$/);
    await says(stopped.page, 'Stopped: nobody gets it.');
    await stopped.close();
  });

  test('lists and records are accessible and light, on desks and phones', async () => {
    const faults: string[] = [];
    const paths = [
      ...['blasts', 'automations', `blasts/${winter}`, `blasts/${spring}/preview`],
      `automations/${thanks}`,
    ];
    for (const [n, path] of paths.entries()) {
      const { page, close } = await open(path);
      const name = `campaigns-${n}`;
      for (const width of [1366, 1920]) {
        await page.setViewportSize({ width, height: 768 });
        await picture(page, `${name}-${width}`);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      faults.push(...(await faultsOfLooks(page, name)));
      await close();
    }
    assert.deepEqual(faults, []);
  });
});
