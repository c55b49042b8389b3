/** Reading the headers of an e-mail before anything is parsed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersAtMost, readHeaders } from './headers.ts';

const from = 'From: Desk <Desk@Garage.example>\r\nMessage-ID: <m1@garage.example>\r\n';
const headersOf = (headers: string, body = 'Yes.') =>
  readHeaders(Buffer.from(`${from}${headers}\r\n\r\n${body}`));

test('the author and the id; text after the headers is not read', async () => {
  const expected = { author: 'desk@garage.example', messageId: 'm1@garage.example', isAutomatic: false };
  assert.deepEqual(await headersOf('Subject: Hi', 'Precedence: bulk\r\nFrom: x@else.example\r\n'), expected);
  assert.deepEqual(await readHeaders(Buffer.from(from)), expected);
  assert.deepEqual(await readHeaders(Buffer.from(`\r\n${from}`)), {
    ...{ author: null, messageId: null, isAutomatic: false },
  });
});

test('megabytes of line breaks after the headers cost nothing', async () => {
  const raw = Buffer.concat([Buffer.from(`${from}\r\n`), Buffer.alloc(9_500_000, '\n')]);
  await readHeaders(raw.subarray(0, 100));
  const before = process.cpuUsage();
  assert.equal((await readHeaders(raw)).author, 'desk@garage.example');
  assert.ok(process.cpuUsage(before).user < 500_000);
});

test('headers that do not end within the limit are refused; others are read in bounded time', async () => {
  await assert.rejects(headersOf('x'.repeat(headersAtMost)), /longer than 256 KiB/);
  const before = process.cpuUsage();
  for (const line of [
    'a:\n',
    ' \n',
    'From: a@b.example, \n',
    '\r',
    '"',
    '(',
    '=?utf-8?q?a?= ',
    'a:"\\"(\n\t',
  ]) {
    const name = line.includes(':') ? '' : 'From: ';
    await headersOf(name + line.repeat(Math.floor((headersAtMost - 200) / line.length))).catch(() => null);
  }
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

for (const header of [
  'Auto-Submitted: auto-replied',
  'Auto-Submitted: auto-generated (vacation)',
  'Precedence: bulk',
  'X-Autoreply: yes',
  'List-Id: <list.garage.example>',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
]) {
  test(`a program sent it: ${header}`, async () => {
    assert.equal((await headersOf(header)).isAutomatic, true);
  });
}

test('a person sent it', async () => {
  assert.equal((await headersOf('Auto-Submitted: no\r\nX-Auto-Response-Suppress: All')).isAutomatic, false);
});

test('a line that is no header ends the headers: what stands below it names no author (specification: Answers of the workshop 5)', async () => {
  const desk = 'From: desk@garage.example\r\n';
  const authorIn = async (...lines: string[]) =>
    (await readHeaders(Buffer.from(`${lines.join('\r\n')}\r\n\r\nYes.`))).author;
  const other = 'Subject: Hi\r\n';
  for (const line of ['no header', ' ', '\t', 'two words: x', ': x', '\u00a0From: x', 'From desk', '\x00: x'])
    assert.equal(await authorIn(`${other}${line}\r\n${desk}`), null, JSON.stringify(line));
  assert.equal(await authorIn(`${desk}no header`, 'From: evil@else.example'), 'desk@garage.example');
  assert.equal(await authorIn(`From desk Sun Nov 22 10:00:00 2026\r\n${desk}`), 'desk@garage.example');
  assert.equal(await authorIn(`Received: from x\r\n\tby y\r\n (z)\r\n${desk}`), 'desk@garage.example');
  assert.equal(await authorIn(` folded\r\n${desk}`), null);
  assert.equal(await authorIn(`From : desk@garage.example`), 'desk@garage.example');
  assert.equal(await authorIn(`From:\r\n desk@garage.example`), 'desk@garage.example');
  // What a program says of itself counts wherever it stands.
  const automatic = await readHeaders(
    Buffer.from(`${desk}no header\r\nAuto-Submitted: auto-replied\r\n\r\nAway.`),
  );
  assert.equal(automatic.isAutomatic, true);
});
