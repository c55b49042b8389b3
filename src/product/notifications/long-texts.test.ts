/** Any text of people is rendered to an e-mail in linear time: partners send these texts, and rendering blocks all requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from '#base/values/shorten.ts';
import { parseText } from '#product/messaging/inbox/mail/parse.ts';
import { plain } from './email-content.ts';
import { inline } from './email-inline.ts';

const length = 20_000;
const mail = (text: string) => Buffer.from(`Subject: Re: Hello\r\n\r\n${text}\r\n`);

const works = [
  ['the words of an e-mail', 'a', plain],
  [
    'its links',
    'http://x',
    (text: string) =>
      inline(text, { phones: new Map([['0491 570 006', '+61491570006']]), colour: '#000000' }),
  ],
  ['a text that is cut', 'a', (text: string) => shorten(text, length / 2)],
  ['an answer by e-mail', 'a', (text: string) => parseText(mail(text))],
] as const;

/** In milliseconds of this process's CPU. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}

for (const [name, begin, work] of works) {
  test(`${name}: in the middle of the text, characters that could end it take no longer than others`, async () => {
    const textOf = (filling: string) => `${begin}${filling.repeat(length - begin.length - 1)}x`;
    await work(textOf('b'));
    const usual = await cpuMs(() => work(textOf('b')));
    for (const filling of [' ', '\t', '.', ')', '>']) {
      const odd = await cpuMs(() => work(textOf(filling)));
      // A search that starts over at each of them takes a thousand times as long.
      assert.ok(odd < 30 * usual + 100, `${JSON.stringify(filling)}: ${odd} ms, beside ${usual} ms`);
    }
  });
}
