/** Whom each refusal of a mail server is about; the replies are those that providers document (docs/gateways/email.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttledEmail } from '#platform/gateways/limiter/throttled-email.ts';
import { email, gatewayTo, scriptedServer } from '../../../../test/fixtures/mail-server.ts';
import { type About, aboutOf, enhancedCodeOf } from './smtp-reply.ts';

const replies: Readonly<Record<About, readonly string[]>> = {
  gateway: [
    // Google
    '550-5.4.5 Daily user sending limit exceeded. 550 5.4.5 https://support.google.com/mail/?p=DailyLimitExceeded',
    '550 5.7.1 Daily SMTP relay limit exceeded for customer.',
    '450 4.2.1 Peak SMTP relay limit exceeded for customer.',
    '550 5.7.0 Mail relay denied 10.0.0.1. Invalid credentials for relay for one of the domains in: x',
    '550 5.7.1 Our system has detected an unusual rate of unsolicited mail originating from your IP address.',
    '550 5.7.26 This mail has been blocked because the sender is unauthenticated.',
    '452 4.4.5 Server busy, try again later.',
    '553 5.1.7 The sender address is not a valid RFC 5321 address.',
    // Microsoft
    '550 5.1.8 Access denied, bad outbound sender',
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
    '550 5.7.501 Access denied, spam abuse detected',
    '550 5.7.705 Access denied, tenant has exceeded threshold.',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1].',
    '554 5.2.252 SendAsDenied; … not allowed to send as …',
    '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    // Amazon SES
    '554 Message rejected: Email address is not verified. The following identities failed the check in region X: a, b',
    '554 Message rejected: Sending suspended for this account. For more information, …',
    '454 Throttling failure: Daily message quota exceeded',
    '454 Throttling failure: Maximum sending rate exceeded',
    // Postfix
    '554 5.7.1 <…>: Relay access denied',
    '554 5.7.1 <…>: Sender address rejected: Access denied',
    '553 5.7.1 <…>: Sender address rejected: not owned by user x',
    '554 5.7.1 <unknown[10.0.0.1]>: Client host rejected: Access denied',
    '550 5.1.8 <…>: Sender address rejected: Domain not found',
    '452 4.3.1 Insufficient system storage',
    // Exim and others
    '550 relay not permitted',
    '550 Relaying denied',
    '550 Sender verify failed',
    '550 rejected: 192.0.2.1 is listed at zen.spamhaus.org',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    '550 5.1.1 <kim@customer.example>  - 203.0.113.9 has sent to too many recipients this hour',
    '550 5.1.3 see https://check.spamhaus.org/query/ip/203.0.113.9',
    '550 5.7.1 user unknown, or our block list has your IP address',
    '553 5.1.0 Domain of sender address desk@garage.example does not exist',
    '550 Invalid sender address',
    '550 Unknown sender account',
    '553 sender address not exist',
    '550 From address is not valid',
    '550 Return path address not valid',
    '550 Invalid MAIL FROM address provided',
    '550 bad message: e-mail address in header From invalid',
  ],
  address: [
    '550-5.1.1 The email account that you tried to reach does not exist.',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '553 5.1.3 The recipient address is not a valid RFC 5321 address.',
    '550 5.1.1 <…>: Recipient address rejected: User unknown in local recipient table',
    '550 5.5.0 Requested action not taken: mailbox unavailable',
    '550 there is no such person',
    '550 Unrouteable address',
    '550 Unknown user',
    '551 User not local; please try elsewhere, this user does not exist',
    '554 5.0.0 No such user here',
    '550 5.1.0 <…>: Recipient address rejected: User unknown in local recipient table',
    '550 <…>: Recipient address rejected: User unknown in virtual mailbox table',
    // A backup MX.
    '550 5.1.1 <…>: Recipient address rejected: User unknown in relay recipient table',
    '550 relay.customer.example: no such user here',
    // Exchange Online: a recipient that its directory does not have; what a server behind it says.
    '550 5.4.1 Recipient address rejected: Access denied. [X.prod.protection.outlook.com]',
    '550 5.4.1 [kim@customer.example]: Recipient address rejected: Access denied [X1.prod.protection.outlook.com]',
    '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 <…>: User unknown',
    '550 5.5.0 <kim@customer.example> Invalid recipient',
    // Codes of a mailbox, with words that say more.
    '550 5.2.1 <kim@customer.example>... User Unknown',
    '550 5.2.0 : User unknown',
    '553 5.3.0 <kim@customer.example>... Addressee unknown, relay=[203.0.113.9]',
    '550 5.7.1 No such user c18si2365148hub',
    '550 <kim@customer.example>... User not exist',
    '550 User Kim (kim@customer.example) not listed in Domino Directory',
    "554 delivery error: dd This user doesn't have a mail.example account (kim@mail.example) [0]",
    '550 5.1.6 recipient no longer on server: kim@customer.example',
    '550 5.1.1 <kim@customer.example>: inactive email address',
    // Cisco: a reply within the sentence of the server between.
    "550 5.3.0 - Other mail system problem 550-'Unknown user kim@customer.example' (delivery attempts: 0)",
  ],
  message: [
    '552 5.2.2 The email account that you tried to reach is over quota.',
    '550 5.2.1 The email account that you tried to reach is disabled.',
    '552 5.2.3 Your message exceeded size limits',
    '552 mailbox quota exceeded',
    '552 message exceeds the daily limit of this mailbox',
    '552 5.3.4 Too big',
    '554 5.6.0 Mail message is malformed.',
    '552 5.7.0 This message was blocked because its content presents a potential security issue.',
    '550 5.7.1 The user or domain that you are sending to has a policy that prohibited the mail that you sent.',
    '554 5.7.1 Looks like spam',
    '554 e-mail not valid: missing header',
    '554 invalid e-mail format',
    '550 alias not found due to LDAP error',
    '550 recipient does not exist in our directory due to lookup timeout',
    '554 5.7.1 <…>: Recipient address rejected: Access denied',
    '550 5.7.124 RESOLVER.RST.SenderNotInGroup; not in allowed-senders list',
    '450 4.7.1 <…>: Recipient address rejected: Greylisted',
    '451 4.7.1 Greylisted, come back',
    '450 4.1.1 <…>: Recipient address rejected: unverified address',
    '450 4.2.2 over quota',
    '451 no such user, for now',
    '550 Requested action not taken: mailbox unavailable',
    '554 Transaction failed',
    '550 5.1.1 refused due to recipient preferences',
    '550 5.1.1 <kim@customer.example>: mailbox is full',
    '552 5.2.2 user unknown, or over quota',
    "550 5.1.0 - Unknown address error 550-'5.2.2 <kim@customer.example>... mailbox is full' (delivery attempts: 0)",
    '550 5.2.1 The email account that you tried to reach is inactive.',
    '550 5.4.1 All recipient addresses rejected : Access denied. AS(201806281)',
    '550 account disabled: user unknown',
    '550 Mailbox suspended',
    '550 Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.',
    '550 You have been blocked by the recipient',
    // The domain: its name servers may not answer for an hour.
    "553 5.1.2 We weren't able to find the recipient domain.",
    '550 5.1.2 <…>... Host unknown (Name server: customer.example: host not found)',
    '550 <…>: Recipient address rejected: Domain not found',
    '556 5.1.10 <…>: Recipient address has null MX',
  ],
};

for (const [about, texts] of Object.entries(replies)) {
  for (const text of texts) {
    test(`${about}: ${text.slice(0, 90)}`, () => {
      assert.equal(aboutOf({ status: Number(text.slice(0, 3)), text }), about);
    });
  }
}

test('an enhanced status code is not part of an IP address', () => {
  assert.equal(enhancedCodeOf('Sorry, no mailbox here by that name. (#5.1.1)'), '5.1.1');
  assert.equal(enhancedCodeOf('smtp;550-5.1.10 RESOLVER'), '5.1.10');
  assert.equal(enhancedCodeOf('host 5.1.1.2 said: 550 no'), null);
  assert.equal(enhancedCodeOf('host 15.1.1.2, 2.4.5.6 said: 550 5.2.2.'), '5.2.2');
});

test('any text is read at once', () => {
  const before = process.cpuUsage();
  for (const piece of [
    ...[
      'sender ',
      'user ',
      'e-mail ',
      '5.',
      '5.1.',
      '\n',
      'daily. ',
      '550-',
      "550-'",
      'http://',
      'host ',
      '@',
    ],
    ...['unknown or x ', 'no account ', 'deliver ', 'a'],
  ])
    aboutOf({ status: 550, text: piece.repeat(1_000_000) });
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});

test('a fault of the account is the gateway’s, at each step: nothing is final', async (t) => {
  for (const [command, words] of [
    ['RCPT', '554 5.7.1 <ann@example.com>: Relay access denied'],
    ['DATA', '550 5.4.5 Daily user sending limit exceeded.'],
    ['.', '554 Message rejected: Email address is not verified.'],
    ['.', '454 Throttling failure: Daily message quota exceeded'],
  ] as const) {
    const { port } = await scriptedServer(t, (line) => (line.startsWith(command) ? words : null));
    const outcome = await gatewayTo(t, port).send(email);
    assert.ok(outcome.state === 'refused', words);
    assert.deepEqual([outcome.permanent, outcome.reason], [false, 'gatewayUnavailable'], words);
    assert.match(
      outcome.detail,
      /^The mail server refuses e-mails of this installation, whatever they are: \d{3}/,
    );
  }
});

test('a server that refuses the sender of bounces at the end is named as such', async (t) => {
  const { port } = await scriptedServer(t, (line) =>
    line === '.' ? '554 Message rejected: Email address is not verified.' : null,
  );
  const outcome = await gatewayTo(t, port).send({
    ...email,
    envelopeSender: 'bounce+1@reply.motors.example',
  });
  assert.ok(outcome.state === 'refused' && outcome.reason === 'gatewayUnavailable');
  assert.match(outcome.detail, /set PITLANE_BOUNCE_ADDRESSES=off\): 554 Message rejected/);
});

test('the circuit breaker opens on faults of the account, and not on those of recipients', async (t) => {
  let words = '550 5.1.1 no such person';
  const { port, connections } = await scriptedServer(t, (line) => (line.startsWith('RCPT') ? words : null));
  const limiter = createLimiter({ name: 'smtp' });
  const gateway = throttledEmail(gatewayTo(t, port), limiter);
  for (let n = 0; n < 6; n++) await gateway.send(email);
  assert.equal(limiter.state().breaker, 'closed');
  words = '550 5.4.5 Daily user sending limit exceeded.';
  for (let n = 0; n < 5; n++) await gateway.send(email);
  assert.equal(limiter.state().breaker, 'open');
  const before = connections();
  const waits = await gateway.send(email);
  assert.ok(waits.state === 'refused' && waits.notAsked === true);
  assert.equal(connections(), before);
});
