/** What the remote server said wins over the code that the server between gave for it; in contradiction no address is marked. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deliveryReport, wordsOf } from '../../../../../../test/fixtures/bounces.ts';
import { parseBounce } from './parse.ts';

const [kim, sam] = ['kim@customer.example', 'sam@customer.example'];
const mails = new URL('../../../../../../test/fixtures/bounces/', import.meta.url);

for (const [file, isAddressInvalid] of [
  ['dma-unknown', true],
  ['edge-blocking-541', true],
  ['listed-under-511', false],
  ['quota-under-511', false],
  ['rate-under-511', false],
  ['wrapped-510-full', false],
] as const) {
  test(`${file}: ${isAddressInvalid ? 'marked' : 'not marked'} (specification: Notices 13)`, async () => {
    const bounce = await parseBounce(readFileSync(new URL(`${file}.eml`, mails)), '');
    assert.ok(bounce.kind === 'failed');
    assert.deepEqual([bounce.isAddressInvalid, bounce.recipients], [isAddressInvalid, [kim]]);
  });
}

const group = (status: string, diagnostic: string | null, action = 'failed', to = kim) => [
  ...[`Final-Recipient: rfc822; ${to}`, `Action: ${action}`, `Status: ${status}`],
  ...(diagnostic === null ? [] : [`Diagnostic-Code: ${diagnostic}`]),
];
const isMarked = async (raw: Buffer) => {
  const bounce = await parseBounce(raw, '');
  return bounce.kind === 'failed' && bounce.isAddressInvalid;
};

for (const [name, fields, text, expected] of [
  ['a code alone is the reason', group('5.1.1', null), [], true],
  ['5.1.1 for a reply that says nothing', group('5.1.1', 'smtp; 550 Rejected'), [], false],
  [
    '5.1.1 for a full mailbox, which only the sentence says',
    group('5.1.1', null),
    ['Mailbox is full.'],
    false,
  ],
  [
    'a reply of its own, for an account that the sentence says is closed',
    group('5.0.0', null),
    ['The user(s) account is disabled.', '', `<${kim}>: 550 user unknown (in reply to RCPT TO command)`],
    false,
  ],
  [
    'unknown at the end of the e-mail, after the recipient was taken',
    group('5.0.0', 'smtp; 550 Unknown user'),
    [`<${kim}>: host mx.customer.example said: 550 Unknown user (in reply to end of DATA command)`],
    false,
  ],
  [
    'the same with a code that says so: looked up late',
    group('5.1.10', 'smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'),
    [
      `<${kim}>: host mx.customer.example said: 550 5.1.10 Recipient not found (in reply to end of DATA command)`,
    ],
    true,
  ],
  ['5.1.10 alone: a null MX, or Microsoft', group('5.1.10', null), [], false],
  ['5.1.2: the domain', group('5.1.2', 'smtp; 550 Host unknown'), [], false],
  ['a disclaimer below', group('5.1.1', null), ['Any other use by you is prohibited. No viruses.'], true],
  ['tried for days', group('4.1.1', 'smtp; 450 4.1.1 User unknown in virtual alias table'), [], false],
  ['SendGrid: expired', group('4.4.7', 'smtp; unable to deliver', 'expired'), [], false],
  ['“failure”', group('5.1.1', null, 'failure'), [], true],
] as const) {
  test(`${name}: ${expected ? 'marked' : 'failed, not marked'}`, async () => {
    const raw = deliveryReport([fields], { text: [...text] });
    assert.equal((await parseBounce(raw, '')).kind, 'failed');
    assert.equal(await isMarked(raw), expected);
  });
}

test('“delayed” is final where the words say that it has expired (OpenSMTPD), and by its code alone it is not', async () => {
  const given = deliveryReport([group('4.4.7', null, 'delayed')], {
    text: ['Hi!', '', `${kim}: Envelope expired`],
  });
  assert.deepEqual(await parseBounce(given, ''), {
    ...{ kind: 'failed', why: `4.4.7 ${kim}: Envelope expired`, isAddressInvalid: false, recipients: [kim] },
  });
  const told = [
    'A message is delayed for more than 4 hours.',
    '',
    `${kim}: Envelope expired`,
    '',
    'You DO NOT NEED to re-send it.',
  ];
  assert.equal(
    (await parseBounce(wordsOf('Delivery status notification: delayed', told), '')).kind,
    'failed',
  );
  const waits = deliveryReport([group('4.4.7', 'smtp; unable to deliver for 1 day', 'delayed')]);
  assert.deepEqual(await parseBounce(waits, ''), { kind: 'delayed' });
});

test('of two recipients the one that is gone is named alone; an address that was not refused everywhere is not', async () => {
  const unknown = group('5.1.1', 'smtp; 550 5.1.1 user unknown');
  const full = group('5.2.2', 'smtp; 552 5.2.2 full', 'failed', sam);
  for (const raw of [deliveryReport([unknown, full]), deliveryReport([[...full, ...unknown]])]) {
    const bounce = await parseBounce(raw, '');
    assert.ok(bounce.kind === 'failed' && bounce.isAddressInvalid);
    assert.deepEqual(bounce.recipients, [kim]);
  }
  const alias = `Original-Recipient: rfc822; ${kim}`;
  const expanded = deliveryReport([
    [alias, ...group('5.1.1', 'smtp; 550 5.1.1 user unknown', 'failed', 'a@else.example')],
    [alias, ...group('5.2.2', 'smtp; 552 5.2.2 full', 'failed', 'b@else.example')],
  ]);
  const bounce = await parseBounce(expanded, '');
  assert.ok(bounce.kind === 'failed');
  assert.deepEqual(bounce.recipients, ['a@else.example']);
});

const sendmail = [
  '   ----- The following addresses had permanent fatal errors -----',
  `<${kim}>`,
  '',
  '   ----- Transcript of session follows -----',
  '... while talking to mx.customer.example.:',
  `>>> RCPT To:<${kim}>`,
];
for (const [name, text, why, recipients] of [
  [
    'Exim, two recipients',
    [
      ...[
        'The following address(es) failed:',
        '',
        `  ${sam}`,
        '    host mx [192.0.2.5]: 550 5.2.2 Mailbox Full',
      ],
      ...[
        `  ${kim}`,
        '    host mx [192.0.2.5]: 550 5.1.1 User Unknown',
        '',
        '--- This is a copy of the message',
        sam,
      ],
    ],
    'host mx [192.0.2.5]: 550 5.1.1 User Unknown',
    [kim],
  ],
  [
    'Exim, a folded reply',
    [`  ${kim}`, '    host mx [192.0.2.5]: 550 5.1.1', '    Recipient address rejected: User unknown'],
    'host mx [192.0.2.5]: 550 5.1.1 Recipient address rejected: User unknown',
    [kim],
  ],
  ['Sendmail', [...sendmail, '<<< 550 5.1.1 User unknown'], '<<< 550 5.1.1 User unknown', null],
  [
    'Sendmail’s own reading of a block list’s reply',
    [...sendmail, '<<< 550 Rejected, see our list', `550 5.1.1 <${kim}>... User unknown`],
    '<<< 550 Rejected, see our list 550 5.1.1 <kim@customer.example>... User unknown',
    false,
  ],
  [
    'OpenSMTPD',
    [
      `    This is the MAILER-DAEMON.`,
      '',
      `${kim}: 550 5.1.1 no such user`,
      '',
      'Below is a copy of the original message:',
    ],
    `${kim}: 550 5.1.1 no such user`,
    [kim],
  ],
  [
    'without a code',
    [`Unknown user: ${kim}`, '', 'Original message follows.', ''],
    `Unknown user: ${kim}`,
    [],
  ],
  [
    'a report within the text',
    ['Technical report:', '', ...group('5.1.1', 'smtp; 550 5.1.1 User unknown')],
    '550 5.1.1 User unknown',
    [kim],
  ],
  [
    'quoted',
    [`> 550 5.1.1 <${kim}>... User unknown`, '>', '> Bye'],
    `550 5.1.1 <${kim}>... User unknown`,
    [kim],
  ],
] as const) {
  test(`by its words: ${name}`, async () => {
    const bounce = await parseBounce(wordsOf('Returned mail: see transcript', text), '');
    assert.ok(bounce.kind === 'failed');
    assert.deepEqual([bounce.why, bounce.isAddressInvalid], [why, recipients !== false]);
    if (Array.isArray(recipients)) assert.deepEqual(bounce.recipients, recipients);
  });
}

test('parts that are written wrong are read as they stand; a part in HTML alone too', async () => {
  const from = 'From: MAILER-DAEMON@relay.example\r\nSubject: Failure\r\n';
  const broken = `${from}Content-Type: multipart/mixed;\r\nboundary=b\r\n\r\n--b\r\n\r\n550 5.1.1 no such user\r\n--b--\r\n`;
  assert.equal(await isMarked(Buffer.from(broken)), true);
  const html = `${from}Content-Type: text/html\r\n\r\n<p>${kim}</p><p>550 5.1.1 <b>no such</b> user</p>`;
  assert.equal(await isMarked(Buffer.from(html)), true);
});
