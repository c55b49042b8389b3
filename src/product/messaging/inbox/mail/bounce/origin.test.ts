/** A bounce is known by its envelope; complaints, answers of programs, and forwards stay what they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryReport, unknownUser, wordsOf } from '../../../../../../test/fixtures/bounces.ts';
import { parseBounce } from './parse.ts';

const to = 'kim@customer.example';
const gone = [`There was an error delivering your mail to <${to}>.`, '', `550 5.1.1 <${to}>: no such user`];
const marked = {
  kind: 'failed',
  why: `550 5.1.1 <${to}>: no such user`,
  isAddressInvalid: true,
  recipients: [to],
};
const mail = (
  from: string,
  text: readonly string[],
  headers: readonly string[] = [],
  subject = 'Mail delivery failed',
) => wordsOf(subject, text, { from, headers });

for (const from of [
  'MAILER-DAEMON <>',
  'mailer-daemon',
  '<>',
  'Mail Delivery System <Mail.Delivery.System@mx.relay.example>',
  'no-reply@relay.example',
  'Kim <kim@customer.example>',
]) {
  test(`an empty sender of the envelope is enough: From: ${from}`, async () => {
    assert.deepEqual(await parseBounce(mail(from, gone), ''), marked);
    assert.deepEqual(await parseBounce(mail(from, gone), 'MAILER-DAEMON'), marked);
    // The server that delivers has set it, and the pipe names no sender.
    assert.deepEqual(await parseBounce(mail(from, gone, ['Return-Path: <>']), null), marked);
  });
}

test('where the envelope is not known, or a server gives one, the author tells', async () => {
  for (const sender of [null, 'postmaster@relay.example']) {
    assert.deepEqual(await parseBounce(mail('MAILER-DAEMON@relay.example', gone), sender), marked);
    assert.deepEqual(await parseBounce(mail('no-reply@relay.example', gone), sender), { kind: 'other' });
  }
  const said = mail('Kim <kim@customer.example>', gone, ['Return-Path: <kim@customer.example>']);
  assert.deepEqual(await parseBounce(said, null), { kind: 'other' });
});

test('a bounce that somebody forwards has a sender', async () => {
  const text = ['Begin forwarded message:', '', '> From: MAILER-DAEMON', '>', ...gone];
  const forwarded = mail(`Kim <${to}>`, text, [], 'Fwd: Returned mail');
  for (const sender of [to, null]) assert.deepEqual(await parseBounce(forwarded, sender), { kind: 'other' });
});

const attached = (type: string, content: string) =>
  Buffer.from(
    [
      'From: <complaints@mail.example>',
      'Subject: Undeliverable: complaint',
      `Content-Type: multipart/report; report-type=${type.slice('message/'.length)}; boundary=b`,
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Your e-mail could not be delivered without a complaint.',
      '--b',
      `Content-Type: ${type}`,
      '',
      content,
      '--b--',
      '',
    ].join('\r\n'),
  );

for (const [name, raw] of [
  ['a complaint (RFC 5965)', attached('message/feedback-report', 'Feedback-Type: abuse')],
  [
    'a complaint of Microsoft',
    mail('staff@mail.example', gone, [], 'complaint about message from 203.0.113.9'),
  ],
  [
    'that somebody opened it (RFC 8098)',
    attached('message/disposition-notification', 'Disposition: manual-action/MDN-sent-manually; displayed'),
  ],
  [
    'an answer of a person who has left',
    mail(
      `Kim <${to}>`,
      [
        'I no longer work here. This address does not exist any more, your e-mail was not delivered to anybody.',
      ],
      ['Auto-Submitted: auto-replied'],
      'Your booking',
    ),
  ],
  [
    'an answer of sieve (Pigeonhole 0.5.19)',
    mail(
      '<kim@customer.example>',
      ['I am away. Call 550 5551.'],
      ['Auto-Submitted: auto-replied (vacation)', 'Precedence: bulk', 'X-Auto-Response-Suppress: All'],
      'Auto: Your booking was not delivered',
    ),
  ],
  [
    'an answer without a header of its own',
    mail(
      `Kim <${to}>`,
      ['My mailbox is not read. Your e-mail was not delivered.'],
      [],
      'Automatic reply: Your booking',
    ),
  ],
  [
    'an answer that says thank you',
    mail(`Kim <${to}>`, ['Thank you for your e-mail.'], ['Precedence: bulk'], 'Thank you'),
  ],
  [
    'an answer of postmaster@ with a phone number like a code',
    mail(
      'postmaster@customer.example',
      [
        'Thank you for your message. If it could not be delivered, call us on',
        '550 5551, or 550 100 at night.',
      ],
      ['Auto-Submitted: auto-replied'],
      'We have your message',
    ),
  ],
  ['news of a mail system', mail('MAILER-DAEMON@relay.example', ['550 5551'], [], 'Your quarantine')],
  [
    'a delivery, in JSON of Amazon SES',
    mail(
      'no-reply@relay.example',
      ['{"notificationType":"Delivery","mail":{"messageId":"error"}}'],
      [],
      'error',
    ),
  ],
] as const) {
  test(`stays what it is: ${name} (specification: Notices 13)`, async () => {
    assert.deepEqual(await parseBounce(raw, ''), { kind: 'other' });
  });
}

test('a bounce with the header of an answer is one by its subject; a delivery report is one whatever its author', async () => {
  const failed = await parseBounce(
    mail('no-reply@relay.example', gone, ['Auto-Submitted: auto-generated'], 'Undeliverable: Your booking'),
    '',
  );
  assert.deepEqual(failed, marked);
  const report = deliveryReport([unknownUser(to)])
    .toString('latin1')
    .replace(/^From: .*/, 'From: x@relay.example');
  const parsed = await parseBounce(Buffer.from(report, 'latin1'), 'x@relay.example');
  assert.ok(parsed.kind === 'failed' && parsed.isAddressInvalid);
});
