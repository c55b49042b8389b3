/** Parsing the bounces of each mail server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deliveryReport,
  outOfOffice,
  qmailBounce,
  unknownUser,
  wordsOf,
} from '../../../../../../test/fixtures/bounces.ts';
import { parseBounce } from './parse.ts';

const to = 'ann@customer.example';
const failed = (why: string, isAddressInvalid: boolean, recipients = [to]) => ({
  ...{ kind: 'failed', why, isAddressInvalid, recipients },
});
const report = (...fields: readonly string[]) => deliveryReport([fields]);
const delayed = { kind: 'delayed' };
const other = { kind: 'other' };

for (const [name, raw, expected] of [
  [
    'Postfix, an unknown user',
    report(...unknownUser(to)),
    failed(`550 5.1.1 <${to}>: Recipient address rejected: User unknown`, true),
  ],
  [
    'Postfix, folded lines, and no host for the domain',
    report(
      ...[`Final-Recipient: rfc822; ${to}`, `Original-Recipient: rfc822;Ann@Customer.example`],
      ...['Action: failed', 'Status: 5.4.4'],
      ...['Diagnostic-Code: X-Postfix; Host or domain name not found. Name service error for', '    name=x'],
    ),
    failed(
      '5.4.4 X-Postfix; Host or domain name not found. Name service error for name=x'.replace(
        'X-Postfix; ',
        '',
      ),
      false,
    ),
  ],
  [
    'Exim, whose status is always 5.0.0',
    report(
      ...['Action: failed', `Final-Recipient: rfc822;${to}`, 'Status: 5.0.0'],
      ...['Remote-MTA: dns; mx.customer.example', 'Diagnostic-Code: smtp; 550 No such user here'],
    ),
    failed('550 No such user here', true),
  ],
  [
    'Exim, without a diagnostic: only the part for people says why; it knows no way to the domain',
    deliveryReport([['Action: failed', `Final-Recipient: rfc822;${to}`, 'Status: 5.0.0']], {
      text: ['The following address(es) failed:', '', `  ${to}`, '    Unrouteable address'],
    }),
    failed('Unrouteable address', false),
  ],
  [
    'Exim, given up after days',
    deliveryReport([['Action: failed', `Final-Recipient: rfc822;${to}`, 'Status: 5.0.0']], {
      text: ['The following address(es) failed:', '', `  ${to}`, '    retry timeout exceeded', '', 'Bye'],
    }),
    failed('retry timeout exceeded', false),
  ],
  [
    'a full mailbox, of an address that reads like a refusal',
    report(
      ...[`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.0.0'],
      'Diagnostic-Code: smtp; 550 mailbox of jane@unknown.example is full',
    ),
    failed('550 mailbox of jane@unknown.example is full', false),
  ],
  [
    'an unknown address, with the address between the words',
    report(
      ...[`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.0.0'],
      `Diagnostic-Code: smtp; 550 Mailbox ${to} does not exist`,
    ),
    failed(`550 Mailbox ${to} does not exist`, true),
  ],
  [
    'fields of the recipient alone, without those of the whole e-mail',
    Buffer.from(
      report(...unknownUser(to))
        .toString('latin1')
        .replace(/Reporting-MTA:.*\r\nArrival-Date:.*\r\n\r\n/, ''),
      'latin1',
    ),
    failed(`550 5.1.1 <${to}>: Recipient address rejected: User unknown`, true),
  ],
  [
    'a report that says nothing',
    report('Action: failed', `Final-Recipient: rfc822;${to}`, 'Status: 5.0.0'),
    failed('5.0.0', false),
  ],
  [
    'Exchange Online',
    report(
      ...[`Final-Recipient: rfc822;${to}`, 'Action: failed', 'Status: 5.1.10'],
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found',
    ),
    failed('550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found', true),
  ],
  [
    'a full mailbox, given up',
    report(`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.2.2'),
    failed('5.2.2', false),
  ],
  [
    'given up after days',
    report(
      ...[`Final-Recipient: rfc822; ${to}`, 'Action: failed (gave up)', 'Status: 4.4.1'],
      'Diagnostic-Code: smtp; 450 4.1.1 user unknown, for now',
    ),
    failed('4.4.1 450 4.1.1 user unknown, for now', false),
  ],
  [
    'a spam filter',
    report(
      ...[`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.7.1'],
      'Diagnostic-Code: smtp; 550 5.7.1 blocked using zen.spamhaus.org, user unknown',
    ),
    failed('550 5.7.1 blocked using zen.spamhaus.org, user unknown', false),
  ],
  ['delayed', report(`Final-Recipient: rfc822; ${to}`, 'Action: delayed', 'Status: 4.4.1'), delayed],
  ['without an action', report(`Final-Recipient: rfc822; ${to}`, 'Status: 5.1.1'), failed('5.1.1', true)],
  [
    'a report of delivery',
    report(`Final-Recipient: rfc822; ${to}`, 'Action: relayed', 'Status: 2.0.0'),
    other,
  ],
  [
    'of two that our recipient became, one was reached',
    deliveryReport([
      unknownUser('old@else.example'),
      ['Final-Recipient: rfc822; new@else.example', 'Action: delivered'],
    ]),
    other,
  ],
  [
    'in base64',
    deliveryReport([unknownUser(to)], { encoding: 'base64' }),
    failed(`550 5.1.1 <${to}>: Recipient address rejected: User unknown`, true),
  ],
  [
    'RFC 6533',
    deliveryReport([['Final-Recipient: utf-8; änn@customer.example', 'Action: failed', 'Status: 5.1.1']], {
      type: 'message/global-delivery-status',
    }),
    failed('5.1.1', true, ['änn@customer.example']),
  ],
  [
    'a report without recipients: the words say that it failed',
    deliveryReport([]),
    failed('Undelivered Mail Returned to Sender', false, []),
  ],
  ['qmail', qmailBounce(to), failed('Sorry, no mailbox here by that name. (#5.1.1)', true)],
  [
    'an old Exim',
    wordsOf(
      'Mail delivery failed: returning message to sender',
      [
        ...['A message that you sent could not be delivered to one or more of its', 'recipients.', ''],
        ...[`  ${to}`, '    host mx.customer.example [192.0.2.5]: 552 5.2.2 mailbox full', ''],
        '------ This is a copy of the message, including all the headers. ------',
      ],
      { from: 'Mail Delivery System <Mailer-Daemon@mail.example>', headers: [`X-Failed-Recipients: ${to}`] },
    ),
    failed('host mx.customer.example [192.0.2.5]: 552 5.2.2 mailbox full', false),
  ],
  [
    'words alone, from a system under another name',
    wordsOf('Returned mail', ['The user is unknown.'], {
      from: 'robot@mail.example',
      headers: [`X-Failed-Recipients: ${to}`],
    }),
    failed('The user is unknown.', true),
  ],
  [
    'a failure that names no reason',
    wordsOf('Undeliverable: Your booking', ['Sorry.']),
    failed('Undeliverable: Your booking', false, []),
  ],
  [
    'sendmail, still trying',
    wordsOf('Warning: could not send message for past 4 hours', [
      'THIS IS A WARNING MESSAGE ONLY',
      '550 later',
    ]),
    delayed,
  ],
  [
    'an old Exim, still trying',
    wordsOf('message 1abc', ['No action is required on your part. 550 x']),
    delayed,
  ],
  ['out of office', outOfOffice, other],
  [
    'out of office of a robot',
    wordsOf('Hello', ['Thank you for your mail.'], { from: 'postmaster@x.example' }),
    other,
  ],
  [
    'a person',
    wordsOf('550 5.1.1 user unknown', ['550 5.1.1 user unknown'], { from: 'eve@else.example' }),
    other,
  ],
  ['nothing', Buffer.from(''), other],
  [
    'OpenSMTPD, whose words are UTF-8 in a part that says ASCII',
    deliveryReport([[`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.0.0']], {
      text: ['Hi!', '', `${to}: 552 5.2.2 mailbox is full (boîte pleine)`],
    }),
    failed(`${to}: 552 5.2.2 mailbox is full (boîte pleine)`, false),
  ],
  [
    'Exim, which writes octets that are not ASCII in octal digits',
    report(
      ...['Action: failed', `Final-Recipient: rfc822;${to}`, 'Status: 5.0.0'],
      String.raw`Diagnostic-Code: smtp; 552 5.2.2 mailbox is full (bo\303\256te \351 pleine)`,
    ),
    failed(String.raw`552 5.2.2 mailbox is full (boîte \351 pleine)`, false),
  ],
  [
    'nullmailer, which does not fold the second line of a reply',
    report(
      ...[`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.0.0', 'Remote-MTA: dns; 192.0.2.5'],
      ...['Diagnostic-Code: SMTP; 550-Rejected, see', '550 5.2.2 https://mail.example/full: mailbox is full'],
    ),
    failed('550-Rejected, see 550 5.2.2 https://mail.example/full: mailbox is full', false),
  ],
] as const) {
  test(name, async () => assert.deepEqual(await parseBounce(raw), expected));
}
