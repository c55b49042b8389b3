/** Where a reply's own words end, in the forms of many mail programs and languages. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  desk,
  digest,
  garage,
  headers,
  htmlOfHeader,
  htmlOfLine,
  lines,
  others,
  sender,
  textOfHeader,
  textOfLine,
} from '../../../../../test/fixtures/quoted-replies.ts';
import { parseText } from './parse.ts';
import type { SentMail } from './sent-mail.ts';

const sent: SentMail = {
  senders: [sender],
  names: [garage, 'Pitlane'],
  recipients: [desk],
  answers: ['is it ready?'],
};
const mail = (type: 'plain' | 'html', text: string) =>
  Buffer.from(
    `From: ${desk}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}`,
  );
const read = async (type: 'plain' | 'html', text: string) => parseText(mail(type, text), sent);
const condensed = (text: string) => text.replace(/\s+/g, ' ').trim();

/** A reply in each form: its name, and how it is made of its author's words. */
const forms: [string, 'plain' | 'html', (own: string) => string][] = [
  ...Object.entries(lines).flatMap(([name, line]): typeof forms => [
    [name, 'plain', (own) => textOfLine(own, line)],
    ...Object.entries(htmlOfLine).map(([way, made]): (typeof forms)[number] => [
      `${name}, HTML ${way}`,
      'html',
      (own) => made(own, line),
    ]),
  ]),
  ...Object.entries(headers).flatMap(([name, header]): typeof forms => [
    [name, 'plain', (own) => textOfHeader(own, header)],
    ...Object.entries(htmlOfHeader).map(([way, made]): (typeof forms)[number] => [
      `${name}, HTML of ${way}`,
      'html',
      (own) => made(own, header),
    ]),
  ]),
];

const replies = [
  'Ready at 5.',
  'Brakes, all up:\n----\n1. Pads 189\n2. Labour 95',
  'Hi Kim,\n\nTotal: 250\nPick-up: 5:30 pm\n____\n> 3 mm is fine\n\nRegards,\nPat',
];

test(`always: ${forms.length} forms of a reply: its words go out whole, and nothing of what is quoted (specification: Answers of the workshop 7)`, async () => {
  for (const [name, type, made] of forms)
    for (const own of replies) {
      const words = await read(type, made(own));
      assert.ok('text' in words, `${name}: ${JSON.stringify(words)}`);
      const [got, wanted] = type === 'plain' ? [words.text, own] : [words.text, own].map(condensed);
      assert.equal(got, wanted, name);
    }
});

/** Lines that people write, many of them like those of quotations, without what we know of our own e-mail. */
const ownLine = fc.oneof(
  fc.constantFrom(
    ...['----', '_____', '=====', '> 3 mm is fine', '>', '--', '', '  indented', 'Regards,', 'Cheers', 'Pat'],
    ...[
      'Brakes, all up:',
      'Total: 250',
      'From: 6 pm we are closed',
      'On Monday she wrote: come by',
      '***',
      '- pads 189',
    ],
    ...[
      'Sent: the part is under way',
      'am 4.4.2029 um 15:59',
      '2029年4月4日',
      '-----Pads-----',
      'To',
      'Subject',
      'a@b.example',
    ],
    ...[garage, `${garage}, 4 April 2029`, desk, `E-mail: ${desk}`, 'Tel: 0355 500 100', `Write to ${desk}:`],
    ...['Your iPhone is on the seat, sent from my heart', '# 3', '1. Pads', '~~~', 'שלום', '<b>', '&amp; so'],
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 90 })
    .map((text) => text.replace(/[\r\n\u2028\u2029\v\f\u0085]/g, ' ')),
);
/** It ends in a line of words: a line of dashes directly above a quotation belongs to it, and so may one that ends in a colon. */
const ownText = fc
  .tuple(fc.array(ownLine, { maxLength: 8 }), fc.constantFrom('Ready at 5.', 'See you then', 'Ok - thanks!'))
  .map(([above, last]) => [...above, last].join('\n'))
  .filter((text) => !/^--[ \u00a0]$/m.test(text));

test('always: whatever people write above the quotation goes out whole, and no other customer’s name with it', async () => {
  await fc.assert(
    fc.asyncProperty(ownText, fc.constantFrom(...forms), async (own, [name, type, made]) => {
      const words = await read(type, made(own));
      assert.ok('text' in words, `${name}: ${JSON.stringify(words)}`);
      const tidy = type === 'plain' ? (text: string) => text.trim() : condensed;
      assert.equal(tidy(words.text), tidy(own), name);
    }),
    { numRuns: 300 },
  );
});

test('always: where our e-mail was cut or torn, no other customer’s name goes out (specification: Answers of the workshop 7)', async () => {
  const torn = digest.text.split('\n');
  await fc.assert(
    fc.asyncProperty(
      ownText,
      fc.constantFrom(...Object.values(lines), ''),
      fc.nat(torn.length - 1),
      fc.boolean(),
      async (own, line, from, isMarked) => {
        const rest = torn.slice(from).join('\n');
        const quoted = isMarked ? rest.replace(/^/gm, '> ') : rest;
        const words = await read('plain', `${own}\n\n${line}\n${quoted}`);
        if ('refusal' in words) return;
        const added = condensed(words.text).replace(condensed(own), '');
        for (const other of others.slice(1)) assert.ok(!added.includes(other), `${added} of ${quoted}`);
      },
    ),
    { numRuns: 300 },
  );
});

test('always: where the HTML of our e-mail was cut, no customer’s name or words go out, nor its hidden preview', async () => {
  const pieces = digest.html.replace(/^[\s\S]*<body[^>]*>/, '').split(/(?=<(?:div|p|table|h1)\b)/);
  for (const from of pieces.keys()) {
    const words = await read('html', `<p>Ready at 5.</p>${pieces.slice(from).join('')}`);
    if ('refusal' in words) continue;
    for (const other of others) assert.ok(!words.text.includes(other), `${words.text} from ${from}`);
  }
  // As text that a mail program has made of it, and wrapped.
  const preview = [
    'And mine, which I brought in last week, and',
    'when is it? \u034f\u200c \u034f\u200c \u034f\u200c ',
  ];
  const wrapped = `> ${preview.join('\n> ')}\n> ${garage}\n> ${digest.text.split('\n').slice(2).join('\n> ')}`;
  assert.deepEqual(await read('plain', `Ready at 5.\n\n${lines['English, Gmail']}\n${wrapped}`), {
    text: 'Ready at 5.',
  });
});

test('always: replies of programs, in Japanese, in Polish, of Lotus Notes, and with dashes of the workshop’s own', async () => {
  for (const [file, words] of [
    ['ja', 'Ready at 5.'],
    ['pl', 'Ready at 5.'],
    ['notes', 'Ready at 5.'],
    ['dashes', 'Brakes, all up:\n----\n\n1. Pads 189\n2. Labour 95'],
  ] as const) {
    const raw = readFileSync(new URL(`../../../../../test/fixtures/replies/${file}.eml`, import.meta.url));
    assert.deepEqual(await parseText(raw, sent), { text: words }, file);
  }
});
