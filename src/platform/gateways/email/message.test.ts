/** The parts and headers of an e-mail, and that no value adds a header. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asyncProperty, assert as holds, string } from 'fast-check';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { email, from, gatewayTo, mailServer } from '../../../../test/fixtures/mail-server.ts';
import type { OutboundEmail } from './gateway.ts';
import { mailOf } from './message.ts';
import { senderOf } from './sender.ts';

const memory = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function messageOf(changes: Partial<OutboundEmail> = {}): Promise<string> {
  const { message } = await memory.sendMail(mailOf({ ...email, ...changes }, from));
  return String(message);
}

/** Name and value of each header, unfolded. */
function headersOf(message: string): [string, string][] {
  return message
    .slice(0, message.indexOf('\r\n\r\n'))
    .split(/\r\n(?![ \t])/)
    .map((line) => [
      line.slice(0, line.indexOf(':')),
      line
        .slice(line.indexOf(':') + 1)
        .replaceAll('\r\n', '')
        .trim(),
    ]);
}

const usual = [
  ...['From', 'To', 'Subject', 'Message-ID', 'Auto-Submitted', 'X-Auto-Response-Suppress'],
  ...['Date', 'MIME-Version', 'Content-Type'],
].sort();

test('an e-mail has a text and an HTML part, our reference, and headers against auto-replies (specification: Notices 26)', async (t) => {
  const { port, received } = await mailServer(t);
  await gatewayTo(t, port).send(email);
  const mail = String(received[0]);
  const headers = new Map(headersOf(mail));
  assert.deepEqual([...headers.keys()].sort(), usual);
  assert.equal(headers.get('From'), 'Main St Motors <noreply@motors.example>');
  assert.equal(headers.get('To'), 'ann@example.com');
  assert.equal(headers.get('Message-ID'), `<${email.reference}@motors.example>`);
  assert.equal(headers.get('Auto-Submitted'), 'auto-generated');
  assert.match(headers.get('Content-Type') ?? '', /^multipart\/alternative;/);
  assert.match(headers.get('Date') ?? '', /^\w{3}, \d{2} \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/);
  assert.ok(
    mail.indexOf('Content-Type: text/plain; charset=utf-8') <
      mail.indexOf('Content-Type: text/html; charset=utf-8'),
  );
  assert.doesNotMatch(mail, /calendar/);
});

test('a calendar entry goes as an alternative with its method, and as invite.ics', async () => {
  const content = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n';
  const mail = await messageOf({ calendar: { method: 'CANCEL', content } });
  assert.match(mail, /^Content-Type: text\/calendar; charset=utf-8; method=CANCEL/m);
  assert.match(mail, /filename=invite\.ics/);
  assert.ok(mail.includes(Buffer.from(content).toString('base64')));
});

test('a logo goes along beside the HTML that shows it, and the invitation stays readable', async (t) => {
  const { port, received } = await mailServer(t);
  const content = Buffer.from('\x89PNG\r\n\x1a\nnot really', 'latin1');
  const logo = { cid: 'x1@logo.pitlane', kind: 'png', content, path: '/pages/logos/x1.png' } as const;
  const calendar = { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' } as const;
  const html = '<img src="cid:x1@logo.pitlane" alt="Motors"><p>Rich words</p>';
  const sent = { ...email, html, logo, calendar };
  assert.equal((await gatewayTo(t, port).send(sent)).state, 'accepted');
  const [mail = Buffer.alloc(0)] = received;
  const kinds = String(mail).match(/^Content-Type: [\w/]+/gm) ?? [];
  assert.deepEqual(
    kinds.map((each) => each.slice('Content-Type: '.length)),
    [
      ...['multipart/mixed', 'multipart/alternative', 'text/plain'],
      ...['multipart/related', 'text/html', 'image/png', 'text/calendar', 'application/ics'],
    ],
  );
  const read = await PostalMime.parse(mail);
  assert.ok(read.html?.includes(html));
  assert.ok(read.text?.includes(String(email.text)));
  const parts = read.attachments.map(({ filename, mimeType, contentId, content: bytes, ...part }) => ({
    ...{ filename, mimeType, contentId, disposition: part.disposition },
    bytes: Buffer.from(bytes as ArrayBuffer).toString('latin1'),
  }));
  const [picture, ...invitations] = parts;
  assert.deepEqual(picture, {
    ...{ filename: 'logo.png', mimeType: 'image/png', contentId: `<${logo.cid}>`, disposition: 'inline' },
    bytes: content.toString('latin1'),
  });
  assert.ok(invitations.length > 0);
  for (const { bytes } of invitations)
    assert.equal(bytes.replaceAll('\r\n', '\n'), calendar.content.replaceAll('\r\n', '\n'));
});

test('a workshop’s name stands before the installation’s, with the installation’s address; replies go to the workshop', async () => {
  const headers = new Map(
    headersOf(
      await messageOf({
        onBehalfOf: 'Carlton, Motors "A"',
        replyTo: { name: 'Carlton', address: 'desk@carlton.example' },
      }),
    ),
  );
  assert.equal(headers.get('From'), '"Carlton, Motors \\"A\\" via Main St Motors" <noreply@motors.example>');
  assert.equal(headers.get('Reply-To'), 'Carlton <desk@carlton.example>');
  const long = new Map(headersOf(await messageOf({ onBehalfOf: 'x'.repeat(300) })));
  assert.equal(long.get('From'), `${'x'.repeat(60)} via Main St Motors <noreply@motors.example>`);
});

test('what stands after a workshop’s name is a setting: another name, or nothing', () => {
  const own = { name: 'Main St Motors', address: 'noreply@motors.example' };
  const nameBy = (via: string | null, onBehalfOf: string | null = 'Carlton Motors') =>
    senderOf({ onBehalfOf }, { ...own, via });
  assert.deepEqual(nameBy(''), { ...own, name: 'Carlton Motors' });
  assert.deepEqual(nameBy('Fleet Desk'), { ...own, name: 'Carlton Motors via Fleet Desk' });
  assert.deepEqual(nameBy(null), { ...own, name: 'Carlton Motors via Main St Motors' });
  for (const via of ['', 'Fleet Desk', null]) assert.deepEqual(nameBy(via, null), own, 'to workshops');
});

test('List-Unsubscribe has the URL first, and allows one-click POST for https only', async () => {
  const mailto = { address: 'ops@pitlane.example', subject: 'Unsubscribe from Wälder & Co. <x>' };
  const url = 'https://pitlane.example/u?t=1&x=%20';
  const both = new Map(headersOf(await messageOf({ unsubscribe: { mailto, url } })));
  const address =
    '<mailto:ops@pitlane.example?subject=Unsubscribe%20from%20W%C3%A4lder%20%26%20Co.%20%3Cx%3E>';
  assert.equal(both.get('List-Unsubscribe'), `<${url}>, ${address}`);
  assert.equal(both.get('List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
  const one = new Map(headersOf(await messageOf({ unsubscribe: { mailto } })));
  assert.equal(one.get('List-Unsubscribe'), address);
  assert.ok(!one.has('List-Unsubscribe-Post'));
  for (const unsubscribe of [null, {}]) {
    assert.ok(!new Map(headersOf(await messageOf({ unsubscribe }))).has('List-Unsubscribe'));
  }
});

test('no value adds a header or a recipient', async () => {
  const nasty = string({ unit: anyCharacter, maxLength: 40 }).map(
    (text) => `x\r\nBcc: eve@example.com\r\n\r\n${text}`,
  );
  const wanted = [...usual, 'Reply-To', 'List-Unsubscribe', 'List-Unsubscribe-Post'].sort();
  await holds(
    asyncProperty(nasty, async (text) => {
      const mail = mailOf(
        {
          ...email,
          to: `ann@example.com${text}`,
          subject: text,
          onBehalfOf: text,
          replyTo: { name: text, address: `a@b.example${text}` },
          unsubscribe: {
            mailto: { address: `a@b.example${text}`, subject: text },
            url: `https://x.example/${text}`,
          },
        },
        from,
      );
      const { message, envelope } = await memory.sendMail(mail);
      const names = headersOf(String(message)).map(([name]) => name);
      assert.deepEqual(
        [...new Set(names)].sort(),
        wanted.filter((name) => names.includes(name)),
      );
      assert.equal(new Set(names).size, names.length);
      assert.ok(envelope.to.length <= 1);
      assert.ok(!envelope.to.includes('eve@example.com'));
    }),
    { numRuns: 200 },
  );
});
