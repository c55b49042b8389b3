/** `pitlane workshop import and export`: a file, in words, as JSON, and what is wrong. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataUrl, pngOf } from '../fixtures/logos.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, workshopOptions } from './world.ts';

const { db, env, workshopId } = await commandWorld();
const folder = mkdtempSync(join(tmpdir(), 'pitlane-setup-'));
after(() => rmSync(folder, { recursive: true }));

function fileOf(content: object | string): string {
  const path = join(folder, 'workshop.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const services = [{ catalogCode: 'logbook', title: 'Logbook service', category: 'service', cost: 199 }];

test('a file is imported, exported, and what was exported is imported again', async () => {
  const imported = await json(['workshop', 'import', fileOf({ workshopId, services })], env);
  assert.deepEqual(Object.keys(imported), ['workshopId', 'services', 'outsideHours']);
  assert.equal(imported.outsideHours, null, 'the file names no hours');
  assert.deepEqual(Object.keys(imported.services[0]), ['catalogCode', '_id']);
  const { stdout } = await succeed(['workshop', 'import', fileOf({ workshopId, services })], env);
  assert.match(
    stdout,
    new RegExp(
      `^workshop ${workshopId} is set up\n\nCATALOG CODE +ID\nlogbook +${imported.services[0]._id}\n$`,
    ),
  );

  const exported = await json(['workshop', 'export', workshopId], env);
  assert.equal(exported.services[0].title, 'Logbook service');
  const shown = await succeed(['workshop', 'export', workshopId], env);
  assert.deepEqual(JSON.parse(shown.stdout), exported);

  const again = await json(['workshop', 'import', fileOf(shown.stdout)], env);
  assert.deepEqual(again, { ...imported, outsideHours: { count: 0, codes: [] } });
  assert.deepEqual(await json(['workshop', 'export', workshopId], env), exported);
});

test('always: an import says which upcoming bookings lie outside the new hours, and leaves them (specification: Setting up a workshop 5)', async () => {
  const walkIn = ['--workshop', workshopId, '--customer-name', 'Walk In', '--anyway', 'Test of hours'];
  const book = (time: string) => json(['booking', 'create', '--booking-time', time, ...walkIn], env);
  const early = await book('2036-03-03 08:30');
  const late = await book('2036-03-03 16:30');
  await book('2036-03-03 12:00');
  const holiday = await book('2036-03-04 12:00');
  const [gone, past] = [await book('2036-03-03 08:00'), await book('2036-03-03 08:10')];
  await db.query(`UPDATE booking SET status = 'cancelled' WHERE code = $1`, [gone.code]);
  await db.query(`UPDATE booking SET date = now() - interval '1 day' WHERE code = $1`, [past.code]);
  const [other] = [await json(['workshop', 'create', ...workshopOptions, '--slug', 'elsewhere'], env)];
  const short = [{ from: '09:00', to: '16:30' }];
  const file = {
    hours: { monday: short, tuesday: short },
    custom: [{ date: '2036-03-04', hours: [], note: 'Holiday' }],
  };
  const importing = (id: string) => ['workshop', 'import', fileOf({ workshopId: id, ...file })];
  assert.deepEqual((await json(importing(other.workshopId), env)).outsideHours, { count: 0, codes: [] });
  const { outsideHours } = await json(importing(workshopId), env);
  assert.deepEqual(outsideHours, { count: 3, codes: [early.code, late.code, holiday.code] });
  const { stdout } = await succeed(importing(workshopId), env);
  assert.match(
    stdout,
    /^3 upcoming bookings lie outside the new hours, and stay as they are: \w{8}, \w{8}, \w{8}$/m,
  );
});

test('every fault is named', async () => {
  const range = (from: string, to: string) => ({ from, to });
  const hours = { monday: [range('08:00', '12:00'), range('17:00', '13:00')] };
  const file = fileOf({ workshopId, hours, settings: { bays: 'two' } });
  const faults =
    /^pitlane: settings\.bays: must be an integer; hours\.monday\[1\]\.to: must be after from\n$/;
  await fail(['workshop', 'import', file], env, 1, faults);
  await fail(['workshop', 'import', fileOf('{')], env, 1, /the file is no JSON/);
  const latin1 = join(folder, 'latin1.json');
  writeFileSync(latin1, Buffer.from('{ "workshopId": "caf\u00e9" }', 'latin1'));
  await fail(['workshop', 'import', latin1], env, 1, /the file is not in UTF-8/);
  await fail(['workshop', 'import', join(folder, 'absent.json')], env, 1, /can't read .*absent\.json/);
  await fail(['workshop', 'import'], env, 2, /missing required argument 'file'/);
  await fail(['workshop', 'export', 'nowhere'], env, 1, /there is no workshop nowhere/);
});

test('a logo is taken from a file, shown in the export, and removed; what is no picture is refused', async () => {
  const file = join(folder, 'logo.png');
  writeFileSync(file, pngOf(40, 24));
  const done = await json(['workshop', 'logo', workshopId, file], env);
  const { path, bytes, ...logo } = done.logo;
  assert.deepEqual(logo, { kind: 'png', width: 40, height: 24 });
  assert.match(path, /^\/pages\/logos\/[\w-]{22}\.png$/);
  assert.equal(bytes, pngOf(40, 24).length);
  const { settings } = await json(['workshop', 'export', workshopId], env);
  assert.equal(settings.page.logo, dataUrl('png', pngOf(40, 24)));
  const shown = await succeed(['workshop', 'show', workshopId], env);
  assert.match(shown.stdout, new RegExp(`logo +http://\\S+${path}\n`));
  assert.doesNotMatch(shown.stdout, /base64/);
  writeFileSync(file, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await fail(['workshop', 'logo', workshopId, file], env, 1, /SVG is not taken: save it as PNG/);
  writeFileSync(file, Buffer.alloc(600 * 1024));
  await fail(['workshop', 'logo', workshopId, file], env, 1, /more than 512 KB/);
  await fail(['workshop', 'logo', workshopId, join(folder, 'no')], env, 1, /can't read .*no/);
  await fail(['workshop', 'logo', workshopId], env, 2, /name either a file or --remove/);
  const { stdout } = await succeed(['workshop', 'logo', workshopId, '--remove'], env);
  assert.equal(stdout, `workshop ${workshopId} has no logo any more\n`);
  assert.equal((await json(['workshop', 'export', workshopId], env)).settings.page.logo, null);
});
