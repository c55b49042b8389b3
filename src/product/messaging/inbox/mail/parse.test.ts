/** Extracting a workshop's own words from e-mails of various mail programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBounce } from './bounce/parse.ts';
import { parseText } from './parse.ts';
import { replyLine } from './sent-mail.ts';

const textOf = async (raw: Buffer) => {
  const words = await parseText(raw);
  return 'text' in words ? words.text : assert.fail(words.refusal);
};
const mail = (headers: string, body: string) => textOf(Buffer.from(`${headers}\r\n\r\n${body}`));
const plain = 'Content-Type: text/plain; charset=utf-8';
const quoted = `${replyLine}\n\nGarage has 1 new answer.\n\nIs it ready?`;

for (const [program, body] of Object.entries({
  Gmail: `At 5 pm.\n\nOn Sun, 22 Nov 2026 at 10:00, Garage <noreply@pitlane.example> wrote:\n\n> ${quoted.replaceAll('\n', '\n> ')}`,
  'Gmail, folded': `At 5 pm.\n\nOn Sun, 22 Nov 2026 at 10:00, Garage via Pitlane\n<noreply@pitlane.example> wrote:\n\n> ${quoted.replaceAll('\n', '\n> ')}`,
  'Apple Mail': `At 5 pm.\n\nSent from my iPhone\n\n> On 22 Nov 2026, at 10:00, Garage <noreply@pitlane.example> wrote:\n> \n> ${quoted.replaceAll('\n', '\n> ')}`,
  Outlook: `At 5 pm.\n\n________________________________\nFrom: Garage <noreply@pitlane.example>\nSent: Sunday, 22 November 2026 10:00\nTo: Desk\nSubject: 1 new answer\n\n${quoted}`,
  'Outlook, German': `At 5 pm.\n\nVon: Garage <noreply@pitlane.example>\nGesendet: Sonntag, 22. November 2026 10:00\nAn: Desk\n\n${quoted}`,
  'Outlook, a name alone': `At 5 pm.\n\n________________________________\nFrom: Garage\nSent: Sunday, 22 November 2026 10:00\nTo: Desk;\n Office\nSubject: 2 new answers from Ava Nguyen 0491 570 006 and Sam Taylor 0491 570\n 313\n\n${quoted}`,
  'Outlook, Norwegian': `At 5 pm.\n\nFra: Garage\nSendt: søndag 22. november 2026 10:00\nTil: Desk\nEmne: 1 new answer from Ava Nguyen\n\n${quoted}`,
  'Outlook, Swedish, with the line taken out': `At 5 pm.\n\nFrån: Garage\nSkickat: den 22 november 2026 10:00\nTill: Desk\nÄmne: Re: 12 new answers from Ava Nguyen\n\nGarage has 12 new answers.`,
  'Outlook, French, bold': `At 5 pm.\n*De :* Garage\n*Envoyé :* dimanche 22 novembre 2026\n*Objet :* 1 new answer from Ava Nguyen\n\n${quoted}`,
  'a program that breaks the line': `At 5 pm.\n\n> Write your reply\n> above this line.\n> Garage has 1 new answer.`,
  Thunderbird: `At 5 pm.\n\nAm 22.11.26 um 10:00 schrieb Garage:\n> ${quoted.replaceAll('\n', '\n> ')}\n`,
  'a signature': `At 5 pm.\n\n-- \nPat, Garage\n0355 500 100`,
})) {
  test(`only the new words of a reply, from ${program}`, async () => {
    assert.equal(await mail(plain, body), 'At 5 pm.');
  });
}

test('words with a colon are part of the reply', async () => {
  const own = 'Total: 250\nTime: 5 pm\n\nFrom: 6 pm we are closed';
  const header = 'From: Garage\nSent: today\nTo: Desk\nSubject: 1 new answer from Ava Nguyen';
  assert.equal(await mail(plain, `${own}\n\n${header}\n\n${quoted}`), own);
  assert.equal(await mail(plain, `${own}\n\n${quoted}`), own);
});

test('lines, scripts and quoted-printable are kept', async () => {
  const text = await mail(
    `${plain}\r\nContent-Transfer-Encoding: quoted-printable`,
    'Hi =C3=96zg=C3=BCr,\r\n\r\nat 5 =\r\npm. =E2=9C=93',
  );
  assert.equal(text, 'Hi Özgür,\n\nat 5 pm. ✓');
});

test('the text of an e-mail with HTML only', async () => {
  const html = `<div dir="ltr">At 5&nbsp;pm &amp; no later.<br></div><blockquote><p>${replyLine}</p><p>Ready?</p></blockquote>`;
  const text = await mail('Content-Type: text/html; charset=utf-8', html);
  assert.match(text, /^At 5\spm & no later\.$/);
});

test('the HTML is read where the text beside it is empty', async () => {
  const part = (type: string, text: string) =>
    `--b\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${text}\r\n`;
  const parts = `${part('plain', ' \r\n')}${part('html', '<p>At 5 pm.</p>')}--b--\r\n`;
  assert.equal(await mail('Content-Type: multipart/alternative; boundary=b', parts), 'At 5 pm.');
});

test('a picture beside the words is ignored', async () => {
  const parts = `--b\r\n${plain}\r\n\r\nSee picture.\r\n--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--b--\r\n`;
  assert.equal(await mail('Content-Type: multipart/mixed; boundary=b', parts), 'See picture.');
});

test('an attached e-mail is not part of the reply', async () => {
  const attached = `--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: Sam Taylor <sam@x.example>\r\n${plain}\r\n\r\nOf another.`;
  const parts = `--b\r\n${plain}\r\n\r\nAt 5 pm.\r\n${attached}\r\n--b--\r\n`;
  assert.equal(await mail('Content-Type: multipart/mixed; boundary=b', parts), 'At 5 pm.');
});

/** An e-mail of one HTML part of about this many characters, alone or beside a plain one, for which the library turns it into text by itself. */
const ofHtml = (html: string, isBeside: boolean) => {
  const part = (type: string, text: string) =>
    `--b\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(
      text,
    )
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\r\n')}\r\n`;
  const parts = `${isBeside ? part('plain', 'Hi') : ''}${part('html', html)}`;
  return Buffer.from(
    `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`,
  );
};

test('no HTML takes long, however it is made', async () => {
  const size = 200_000;
  const filled = (text: string) => text.repeat(Math.ceil(size / text.length));
  const tags = [
    'a',
    'p',
    'li',
    'span',
    'br',
    'script',
    'style',
    'body',
    '/body',
    '/head',
    '!--',
    '!doctype',
    'hr',
  ];
  const shapes = [
    ...tags.flatMap((tag) => [filled(`<${tag} `), filled(`<${tag}>`), filled(`<${tag}\n`)]),
    ...['href', 'href=', 'href = ', 'href="x '].flatMap((of) => [
      `<a ${filled(of)}`,
      `<a ${filled(of)}>`,
      filled(`<a ${of.repeat(150 / of.length)}>`),
      filled(`<a ${of.repeat(150 / of.length)}`),
    ]),
    ...[
      '&amp',
      '&#1',
      '&a',
      '\u00a0\n',
      '<li>\u2028',
      '<!-- -->',
      '<!--->',
      '<style></style',
      '<',
      '< ',
      '<>',
    ].map(filled),
  ];
  for (const html of shapes)
    for (const [read, isBeside] of [
      [parseText, false],
      [parseText, true],
      [parseBounce, true],
    ] as const) {
      const before = process.cpuUsage();
      await read(ofHtml(html, isBeside));
      const { user, system } = process.cpuUsage(before);
      // Links that are not closed took 26 s.
      assert.ok((user + system) / 1_000 < 2_000, `${(user + system) / 1_000} ms: ${html.slice(0, 40)}`);
    }
});

test('no run of white space in a plain text takes long, and words below one are read', async () => {
  for (const blank of ['\n', ' \n', '\u2028', '\u00a0\n']) {
    const run = blank.repeat(19_000 / blank.length);
    const raw = `From: a@b.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello${run}you`;
    const before = process.cpuUsage();
    assert.equal(await textOf(Buffer.from(raw)), 'Hello\n\nyou');
    const { user, system } = process.cpuUsage(before);
    // It took up to 7 s.
    assert.ok((user + system) / 1_000 < 1_000, `${(user + system) / 1_000} ms: ${JSON.stringify(blank)}`);
  }
  assert.equal(await mail('Content-Type: text/plain', `a${' '.repeat(200)}b`), 'a b');
});

test('long tags, styles, scripts and comments are left out; words, links and signs are not (specification: Answers of the workshop 5)', async () => {
  const html = (body: string) => mail('Content-Type: text/html; charset=utf-8', body);
  const long = 'x'.repeat(5_000);
  assert.equal(
    await html(
      `<head><style><!-- p > a {${long}} --></style></head><body><!-- a > b ${long} --><p title="${long}">At 5 pm</p><script>if (a<b) {${long}}</script> <b>today</b></body>`,
    ),
    'At 5 pm\n\n today',
  );
  assert.match(
    await html(`<p>See <a href="https://garage.example/x">this</a> &lt;soon&gt; ok</p>`),
    /See \(https:\/\/garage.example\/x\) this <soon> ok/,
  );
  assert.match(await html(`<p>See <a href="https://garage.example/${long}">this</a></p>`), /^See this$/);
  assert.equal(await html('<p>2 < 3 and <b>4 > 3</b></p> a < b'), '2 < 3 and 4 > 3\n\n a < b');
  assert.match(await html(`<style>p {} <p>never closed</p>`), /never closed/);
});
