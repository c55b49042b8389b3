/** What comes beside a text: pictures are shown and do nothing else; what is no picture is never served; hidden where phones are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { baseOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { pictures } from '../../../test/fixtures/pictures.ts';
import { talksAt } from '../../../test/fixtures/talks.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const base = await baseOf(app, workshopId);
const { owner, technician, viewer } = await peopleOf(app, workshopId);
const talks = talksAt(app, partner, workshopId);

const file = (contentType: string, bytes: Buffer | string) => ({
  contentType,
  base64: Buffer.from(bytes).toString('base64'),
});
const page = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const pathsIn = (text: string, path: string) =>
  [...text.matchAll(/(?:src|href)="([^"]*\/pictures\/[^"]*)"/g)]
    .map(([, found]) => found ?? '')
    .filter((found) => found.startsWith(path));

test('each kind that browsers draw is shown with a text for those who do not see it; other pictures are a link to save', async () => {
  const talk = await talks.known(newPhone());
  const path = `${base}/inbox/${talk.conversationId}`;
  await talks.heard(
    talk,
    'Look',
    Object.entries(pictures).map(([type, bytes]) => file(type, bytes)),
  );
  const { text } = await owner.get(path);
  assert.equal(
    [...text.matchAll(/<img src="[^"]*" alt="Picture \d from the customer, [^"]+" loading="lazy">/g)].length,
    4,
  );
  assert.match(text, /Picture \d: download it<\/a>/);
  const served = await Promise.all(
    [...new Set(pathsIn(text, path))].map(async (each) => {
      const { status, headers } = await owner.get(each);
      assert.equal(status, 200);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; sandbox; frame-ancestors 'none'",
      );
      return [headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]];
    }),
  );
  assert.deepEqual(served.sort(), [
    ['image/gif', 'inline'],
    ['image/heic', 'attachment'],
    ['image/jpeg', 'inline'],
    ['image/png', 'inline'],
    ['image/webp', 'inline'],
  ]);
  // Its bytes, and no others.
  const [first = ''] = pathsIn(text, path);
  const bytes = await (
    await fetch(`${app.url}${first}`, { headers: { cookie: owner.cookie } })
  ).arrayBuffer();
  assert.ok(Object.values(pictures).some((one) => one.equals(Buffer.from(bytes))));
});

test('MMS that is no picture, whatever it says it is, is named and never served', async () => {
  const talk = await talks.known(newPhone());
  const path = `${base}/inbox/${talk.conversationId}`;
  const files = [
    file('text/html', '<script>alert(1)</script>'),
    file('image/svg+xml', page),
    file('image/png', page),
    file('"><script>alert(1)</script>', page),
    file('application/pdf', '%PDF-1.7'),
  ];
  await talks.heard(talk, '', files);
  const { text } = await owner.get(path);
  assert.equal(text.split('A file was sent').length, files.length + 1);
  assert.match(text, /<bdi>application\/pdf<\/bdi>\), and is not shown: it is no picture/);
  assert.doesNotMatch(text, /<script>alert|\/pictures\//);
  const rows = await db.query<{ id: string }>('SELECT id FROM message_attachment WHERE state <> $1', [
    'stored',
  ]);
  assert.equal(rows.length, files.length);
  for (const { id } of rows) assert.equal((await owner.get(`${path}/pictures/${id}`)).status, 404);
  // Also of a type that was stored by mistake.
  await db.query(
    `UPDATE message_attachment SET state = 'stored', reason = NULL, content = $1 WHERE content_type = 'text/html'`,
    [Buffer.from(page)],
  );
  for (const { id } of rows) assert.equal((await owner.get(`${path}/pictures/${id}`)).status, 404);
});

test('a picture is of its conversation and workshop alone, and hidden from those who do not see phones', async () => {
  const [talk, other] = [await talks.known(newPhone()), await talks.known(newPhone())];
  const path = `${base}/inbox/${talk.conversationId}`;
  await talks.heard(talk, 'Look', [file('image/jpeg', pictures['image/jpeg'] ?? '')]);
  const [picture = ''] = pathsIn((await technician.get(path)).text, path);
  assert.equal((await technician.get(picture)).status, 200);
  assert.equal((await owner.get(picture.replace(talk.conversationId, other.conversationId))).status, 404);
  const elsewhere = await linkedWorkshop(app, [partner]);
  const stranger = await signedInPerson(app, [elsewhere]);
  assert.equal((await stranger.get(picture)).status, 404);
  assert.equal((await stranger.get(picture.replace(base, await baseOf(app, elsewhere)))).status, 404);
  const masked = (await viewer.get(path)).text;
  assert.match(masked, /Picture: hidden, as phone numbers are/);
  assert.doesNotMatch(masked, /\/pictures\//);
  assert.equal((await viewer.get(picture)).status, 403);
  assert.equal((await fetch(`${app.url}${picture}`, { redirect: 'manual' })).status, 303);
});
