/** Another library than the one that signs verifies the e-mails that a server received. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, asyncProperty, constantFrom, assert as holds, nat, record, string } from 'fast-check';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { dkim, verdict } from '../../../../test/fixtures/dkim.ts';
import { email, gatewayTo, mailServer } from '../../../../test/fixtures/mail-server.ts';
import { emails, noticeEmail } from '../../../../test/fixtures/notice-emails.ts';
import type { OutboundEmail } from './gateway.ts';

const full: OutboundEmail = {
  ...email,
  onBehalfOf: 'Мастерская «Быстро»',
  replyTo: { name: 'Desk', address: 'desk@motors.example' },
  unsubscribe: {
    mailto: { address: 'ops@pitlane.example', subject: 'Unsubscribe from Motors' },
    url: 'https://pitlane.example/unsubscribe?token=1',
  },
  text: '.\n..\nTrailing \t spaces  \n\n汽车 – and a long line: '.concat('very '.repeat(300), '\n\n\n'),
  calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
  logo: { cid: 'x@logo.pitlane', kind: 'png', content: Buffer.alloc(9_000, '\r\0\n.'), path: '/x.png' },
};

const bodies = {
  'nothing at all': '',
  'a line end alone': '\n',
  'spaces alone': '   ',
  'empty lines at the end': 'text\n\n\n',
  'spaces at the ends of lines': 'one \t \ntwo  ',
  'dots at the beginnings of lines': '.\n..\n.three\n.',
  'long lines': `${'very '.repeat(500)}\n${'x'.repeat(3_000)}`,
  Cyrillic: 'Ваша машина готова.\n.Приезжайте ',
  'every kind of line end': 'one\r\ntwo\nthree\rfour\r',
  'a large text': 'A line of an ordinary length, again and again.\n'.repeat(20_000),
};

const mails: Readonly<Record<string, OutboundEmail>> = {
  'a simple one': email,
  'one with everything': full,
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [name, { ...email, text: body, html: body }]),
  ),
  'to a workshop with a long name': noticeEmail(
    { audience: 'workshop', name: '汽车'.repeat(127) },
    'ops@pitlane.example',
  ),
  ...Object.fromEntries(Object.entries(emails).map(([name, notice]) => [`notice: ${name}`, notice])),
};

test('an e-mail that a server received is verified, whatever it holds', async (t) => {
  const { port, received } = await mailServer(t);
  const gateway = gatewayTo(t, port, { dkim });
  for (const [name, mail] of Object.entries(mails)) {
    received.length = 0;
    assert.equal((await gateway.send(mail)).state, 'accepted', name);
    const [message = Buffer.alloc(0)] = received;
    assert.equal(await verdict(message), 'pass', name);
    for (const line of String(message).split('\r\n')) assert.ok(line.length <= 998, name);
  }
});

test('an e-mail with any text, subject and names is verified', async (t) => {
  const { port, received } = await mailServer(t);
  const gateway = gatewayTo(t, port, { dkim });
  const piece = constantFrom('a', ' ', '\t', '\r\n', '\n', '\r', '.', '=', 'é', 'Я', '😀', 'x'.repeat(80));
  const body = array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const line = string({ unit: anyCharacter, maxLength: 100 });
  const changes = record({ text: body, html: body, subject: line, onBehalfOf: line, name: line });
  await holds(
    asyncProperty(changes, async ({ name, ...parts }) => {
      received.length = 0;
      const replyTo = { name, address: 'desk@motors.example' };
      assert.equal((await gateway.send({ ...email, ...parts, replyTo })).state, 'accepted');
      assert.equal(await verdict(received[0] ?? Buffer.alloc(0)), 'pass');
    }),
    { numRuns: 100 },
  );
});

/** The headers that the signature names. */
const signedIn = (message: string) =>
  /^DKIM-Signature:[\s\S]*?\sh=([^;]*);/.exec(message)?.[1]?.replace(/\s/g, '').split(':') ?? [];

test('all headers are signed but the one for auto-responders', async (t) => {
  const { port, received } = await mailServer(t);
  await gatewayTo(t, port, { dkim }).send(full);
  const [head = ''] = String(received[0]).split('\r\n\r\n');
  const there = [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name.toLowerCase());
  const unsigned = ['dkim-signature', 'x-auto-response-suppress'];
  assert.deepEqual(signedIn(head).sort(), there.filter((name) => !unsigned.includes(name)).sort());
  assert.ok(there.includes('list-unsubscribe') && there.includes('list-unsubscribe-post'));
});

test('a changed byte in the signed parts breaks the signature; a header that servers add does not', async (t) => {
  const { port, received } = await mailServer(t);
  await gatewayTo(t, port, { dkim }).send(full);
  const [message = Buffer.alloc(0)] = received;
  const text = message.toString('latin1');
  const signature = text.indexOf('\r\nFrom:') + 2;
  const unsigned = text.indexOf('X-Auto-Response-Suppress:');
  await holds(
    asyncProperty(nat(text.length - signature - 1), async (place) => {
      const at = signature + place;
      if (unsigned <= at && at < text.indexOf('\r\n', unsigned) + 2) return;
      const changed = Buffer.from(message);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      assert.notEqual(await verdict(changed), 'pass', text.slice(at - 20, at + 20));
    }),
    { numRuns: 150 },
  );
  const trace = Buffer.from('Received: from relay.example\r\nX-Spam: no\r\n');
  assert.equal(await verdict(Buffer.concat([trace, message])), 'pass');
});
