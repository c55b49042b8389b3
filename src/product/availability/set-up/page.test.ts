/** The page settings of a workshop in its set-up: which parts stay, and which faults are named. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { browserPictures, dataUrl, pngOf } from '../../../../test/fixtures/logos.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { exportWorkshop } from './export.ts';
import { importWorkshop } from './import.ts';

const { db } = await createTestDatabase();
const clock = systemClock();
const newWorkshop = () => linkedWorkshop({ context: { db, clock } }, []);
const setUp = (file: object) => importWorkshop({ db, clock }, JSON.stringify(file), actors.operator);

const page = {
  logo: dataUrl('png', pngOf(40, 24)),
  ...{ privacyUrl: 'https://harbour.example/privacy', termsUrl: 'https://harbour.example/terms' },
  cancellationText: 'Free until the day before.\nThen $50.',
};

test('the page is its own section, and the logo stays until it is replaced or null (specification: Setting up a workshop 6)', async () => {
  const workshopId = await newWorkshop();
  const pageOf = async () => (await exportWorkshop(db, workshopId)).settings.page;
  await setUp({ workshopId, settings: { page } });
  await setUp({ workshopId, settings: { bays: 3 } });
  assert.deepEqual(await pageOf(), page);
  await setUp({ workshopId, settings: { page: { termsUrl: 'https://new.example/' } } });
  const unset = { privacyUrl: null, termsUrl: null, cancellationText: null };
  assert.deepEqual(await pageOf(), { ...unset, logo: page.logo, termsUrl: 'https://new.example/' });
  await setUp({ workshopId, settings: { page: { logo: null } } });
  assert.deepEqual(await pageOf(), { ...unset, logo: null });

  // Data that is not part of the picture is removed, so the export differs from the first import; a second import changes nothing.
  const { webp } = browserPictures;
  const end = Buffer.from('<script>alert(1)</script>');
  await setUp({ workshopId, settings: { page: { logo: dataUrl('webp', Buffer.concat([webp, end])) } } });
  const exported = await exportWorkshop(db, workshopId);
  assert.match(exported.settings.page.logo ?? '', /^data:image\/webp;base64,/);
  assert.equal(Buffer.from(exported.settings.page.logo?.slice(23) ?? '', 'base64').includes('script'), false);
  await setUp(exported);
  assert.deepEqual(await exportWorkshop(db, workshopId), exported);
});

test('faults of the page are named', async () => {
  const workshopId = await newWorkshop();
  const wrong = {
    logo: 'data:image/svg+xml;base64,PHN2Zz4=',
    privacyUrl: 'http://harbour.example/',
    about: '',
  };
  const file = {
    workshopId,
    settings: { taxLabel: 'x'.repeat(41), page: { ...wrong, termsUrl: 'https://kim@harbour.example/' } },
    services: [{ catalogCode: 'a', title: 'A', category: 'others', description: 'x'.repeat(501) }],
  };
  const refused = await setUp(file).then(
    () => assert.fail('the import was not refused'),
    (error: Error) => error.message.split('; '),
  );
  assert.deepEqual(refused.sort(), [
    'services[0].description: must have at most 500 characters',
    'settings.page.about: is not known here',
    'settings.page.logo: is no data URL such as data:image/png;base64,iVBORw0KGgo…',
    'settings.page.privacyUrl: must begin with https://',
    'settings.page.termsUrl: must be an address such as https://calls.example/1.mp3, without a user name',
    'settings.taxLabel: must have at most 40 characters',
  ]);
});
