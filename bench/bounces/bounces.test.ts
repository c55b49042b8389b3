/** The count over a public corpus reads its expectations, and tells each kind of mistake. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deliveryReport, unknownUser } from '../../test/fixtures/bounces.ts';
import { compare } from './compare.ts';
import { expectedIn, unknownUserIn } from './expected.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-bounces-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 't'));
mkdirSync(join(folder, 'lib/Sisimai/Reason'), { recursive: true });
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
write(
  't/600-lhost-code',
  `my $skiptonext = {\n    'public'  => ['lhost-postfix-02'],\n    'private' => ['arf/01003'],`,
);
write(
  't/760-lhost-postfix.t',
  `my $enginename = 'Postfix';
    # INDEX => [['D.S.N.', 'replycode', 'REASON', 'hardbounce'], [...]]
    '01' => [['5.1.1',   '550', 'userunknown',     1],
             ['5.2.2',   '',    'mailboxfull',     0]],
    '02' => [['5.1.1',   '',    'userunknown',     1]],
    '03' => [['4.0.0',   ''   , 'expired',         0]],`,
);
write('t/899-arf.t', `my $enginename = 'ARF';\n    '11' => [['', '', 'feedback', 0, 'abuse']],`);
write('t/010-address.t', `my $enginename = 'None';\n    '01' => [['', '', 'feedback', 0]],`);
write(
  'lib/Sisimai/Reason/UserUnknown.pm',
  `    state $index = [\n        "can't accept user",\n        'no such user',\n    ];\n    state $pairs = [\n        ['mailbox ', ' does not exist'],\n    ];\n`,
);

test('the expectations of mails, without those that are left out', () => {
  assert.deepEqual(expectedIn(folder), [
    { mail: 'lhost-postfix-01', reasons: ['userunknown', 'mailboxfull'] },
    { mail: 'lhost-postfix-03', reasons: ['expired'] },
    { mail: 'arf-11', reasons: ['feedback'] },
  ]);
});

test('a text that says that the user is unknown', () => {
  const saysUnknown = unknownUserIn(folder);
  for (const text of ['550 No such\n user', "Can't accept user", 'mailbox kim does not exist'])
    assert.ok(saysUnknown(text), text);
  for (const text of ['550 no user', `mailbox ${'x'.repeat(200)} does not exist`])
    assert.ok(!saysUnknown(text), text);
});

test('each kind of mistake', async () => {
  const saysUnknown = (text: string) => text.includes('User unknown');
  const gone = deliveryReport([unknownUser('kim@customer.example')]);
  const full = deliveryReport([['Action: failed', 'Status: 5.2.2']]);
  const verdict = async (raw: Buffer, ...reasons: string[]) =>
    (await compare(raw, { mail: 'x', reasons }, saysUnknown)).verdict;
  assert.equal(await verdict(gone, 'userunknown'), 'right');
  assert.equal(await verdict(gone, 'filtered'), 'right');
  assert.equal(await verdict(gone, 'mailboxfull'), 'wronglyMarked');
  assert.equal(await verdict(full, 'mailboxfull'), 'right');
  assert.equal(await verdict(full, 'filtered'), 'right');
  assert.equal(await verdict(full, 'mailboxfull', 'hasmoved'), 'notMarked');
  assert.equal(await verdict(full, 'feedback'), 'otherKind');
  assert.equal(await verdict(Buffer.from('From: x@y.example\r\n\r\nHi'), 'expired'), 'dropped');
  assert.equal(await verdict(Buffer.from('From: x@y.example\r\n\r\nHi'), 'vacation'), 'right');
});
