import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText, durationText, priceText } from '#platform/pages/texts.ts';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { formatLocalTime, localDate, localDateTime, localTime } from './local-time.ts';
import { redactedContacts } from './redacted-contacts.ts';

test('numbers are hidden however they are grouped, and in digits of any script (specification: The console 21)', () => {
  for (const [said, shown] of [
    ['415-555-2671', '…'],
    ['call 491 570 156 now', 'call … now'],
    ['1300 555 010', '…'],
    ['04/91/57/01/56', '…'],
    ['04_91·57 01 56, ok', '…, ok'],
    ['0491,570,156', '…'],
    ['0491\u2011570\u2011156', '…'],
    ['0491\u00a0570\u202f156', '…'],
    ['0491-\u0301\u0301\u0301570 \u034f\u0301\u034f\u0301\u034f\u0301156', '…'],
    ['０４９１５７０１５６', '…'],
    ['+６１４９１', '+６１４９１'],
    ['٠٤٩١٥٧', '…'],
    ['①④⑨①⑤⑦⓪', '…'],
    ['4️⃣9️⃣1️⃣5️⃣7️⃣0️⃣1️⃣', '…'],
    [`0491${'\u200b'.repeat(9)}570\u00ad156`, '…'],
    ['ring 20 12 34 56', 'ring …'],
    ['612 34 56 78', '…'],
    ['9123 4567', '…'],
    ['0491 570 156 0491 570 157', '…'],
    ['(02) 5550 1234 x', '… x'],
    ['+ (61) 491 570 156', '…'],
    ['tel0491570156mob', 'tel…mob'],
    ['0x04915700', '0x…'],
    ['012345', '…'],
    ['+123456', '…'],
    ['123456 km', '123456 km'],
    ['205/55 R16 91V', '205/55 R16 91V'],
    ['1234 - - 567', '1234 - - 567'],
  ] as const) {
    assert.equal(redactedContacts(said), shown, said);
  }
});

test('e-mail addresses are hidden, with spaces around the @ too (specification: The console 21)', () => {
  for (const [said, shown] of [
    ['write to kim@mail.example today', 'write to … today'],
    ['write to kim @ mail.example today', 'write to … today'],
    ['kim@ mail.example', '…'],
    ['kim @mail.example', '…'],
    ['kim\n@\nmail.example', '…'],
    ['kim\u200b @ \u2060mail.example', '…'],
    ['kim＠mail.example, lee﹫mail.example', '… …'],
    ['<kim@mail.example>', '…'],
    ['https://calls.example/r?of=kim%40mail.example', '…'],
    ['100%40 off', '100%40 off'],
    ['4 tyres @ $129.00 each', '4 tyres @ $129.00 each'],
    ['see you @ 9:30 am', 'see you @ 9:30 am'],
    ['@', '@'],
    ['kim @', 'kim @'],
    ['@ home', '@ home'],
  ] as const) {
    assert.equal(redactedContacts(said), shown, said);
  }
});

test('a text without any stays as it is, with its invisible characters', () => {
  for (const text of ['👩‍🔧 می‌خواهم', '\u2067Kim\u2069 \u0301 12 34', '', ' ', '123456\u200b'])
    assert.equal(redactedContacts(text), text);
});

/** The most digits of a number in the text: written for clarity, and slow. */
function digitsAtMost(text: string): number {
  let [most, digits, between] = [0, 0, 0];
  for (const character of text) {
    if (/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?=\p{Cc})\S/u.test(character)) continue;
    if (/\p{N}/u.test(character)) [digits, between] = [digits + 1, 0];
    else if (/\p{L}/u.test(character) || ++between > 3) [digits, between] = [0, 0];
    most = Math.max(most, digits);
  }
  return most;
}

/** Signs that our own dates, times and prices have. */
const ownSigns = /[-:$€£]/;

test('no number of seven digits is left in any text', () => {
  const character = fc.oneof(anyCharacter, fc.constantFrom(...'0123456789+(). /\u200b٣９a@'));
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 80 }), (text) => {
      const shown = redactedContacts(text);
      if (!ownSigns.test(text)) assert.ok(digitsAtMost(shown) < 7, shown);
      if (digitsAtMost(text) < 6 && !/[@＠﹫]/.test(text)) assert.equal(shown, text);
    }),
    { numRuns: 2_000 },
  );
});

test('no digit is left of a number, whatever stands between its digits and around it (specification: The console 21)', () => {
  const zeros = ['0', '０', '٠', '۰', '०', '𝟎'];
  const between = fc.tuple(
    fc.string({ unit: fc.constantFrom(...' -./,()_·\u2011\u00a0–*#|~\t\n'), maxLength: 3 }),
    fc.constantFrom('', '\u200b', '\u200d\u2060\ufeff\u00ad\u200e\u200b'),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...zeros), between), {
        ...{ minLength: 7, maxLength: 15 },
      }),
      fc.constantFrom('', 'tel', 'call ', '+', '(', 'ö', 'on Tue 3 Mar 2026, 9:30 am '),
      fc.constantFrom('', 'x', ' ok', '.', '!?'),
      (digits, before, after) => {
        const number = digits
          .map(([digit, zero, [signs, unseen]]) => {
            return `${String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit)}${unseen}${signs}`;
          })
          .join('')
          .replace(/[^\p{N}]+$/u, '');
        // What has the form of a date is one.
        fc.pre(!/(?:19|20|21)\d\d-[01]\d-[0-3]\d/.test(number));
        const shown = redactedContacts(`${before}${number}${after}`);
        assert.doesNotMatch(shown.replace('3 Mar 2026, 9:30 am', ''), /\p{N}/u);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('dates, times and prices stay in the forms that our own pages have (specification: The console 21)', () => {
  const timezone = fc.constantFrom('Australia/Melbourne', 'Europe/Berlin', 'America/New_York', 'UTC');
  const country = fc.constantFrom('AU', 'GB', 'DE', 'ZA', 'CH', 'CL');
  const instant = fc.date({
    ...{ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true },
  });
  const long = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  const amount = fc.integer({ min: 0, max: 900_000_000 }).map((cents) => cents / 100);
  const form = fc.oneof(
    fc.tuple(instant, timezone).map(([at, zone]) => localDateTime(at, zone)),
    fc.tuple(instant, timezone).map(([at, zone]) => localDate(at, zone)),
    fc.tuple(instant, timezone).map(([at, zone]) => localTime(at, zone)),
    fc.tuple(instant, timezone).map(([at, zone]) => formatLocalTime(at, zone)),
    instant.map((at) => new Intl.DateTimeFormat('en-AU', long).format(at)),
    instant.map((at) => at.toISOString()),
    instant.map((at) => at.toISOString().slice(0, 10)),
    fc.tuple(amount, country).map(([each, of]) => amountText(each, of)),
    fc.tuple(amount, amount, country).map(([one, other, of]) => priceText(one, Math.max(one, other), of)),
    fc.integer({ min: 1, max: 6_000 }).map(durationText),
  );
  fc.assert(
    fc.property(
      form,
      form,
      fc.constantFrom(', ', ' – ', ' → ', ' · ', '\n', ' for ', '; '),
      fc.constantFrom('', 'ABC123: ', 'ABC123 ', 'Booked: '),
      (one, other, between, before) => {
        const text = `${before}${one}${between}${other}.`;
        assert.equal(redactedContacts(text), text);
      },
    ),
    { numRuns: 500 },
  );
});

test('it takes a text of any characters quickly, at twice the length that a field has', () => {
  const pieces = [
    ...[
      '1',
      '0',
      '(',
      '[',
      ')',
      ' ',
      '.',
      '@',
      '-',
      '+',
      '/',
      '$',
      '\u0301',
      '\u200b',
      '\u0001',
      '\n',
      '１',
      'a',
      '…',
      '\ud800',
    ],
    ...[
      '1 ',
      '1\u200b',
      '1\u0301',
      '()',
      '0(-.)',
      '@ ',
      'a@',
      '@a ',
      'a @ ',
      '+(',
      '+1 ',
      '1    ',
      '1 a',
      '1:2',
      '$1,',
      'R1,234,',
    ],
    ...['2026-', '3 Mar 2026, ', '9:30 ', 'Zm9vYmFyMTIz', '0x0', 'CHF '],
  ];
  const started = process.cpuUsage();
  for (const piece of pieces) {
    const run = piece.repeat(20_000 / piece.length);
    for (const text of [run, `${run}a`, `1${run}`, `@${run}@`]) redactedContacts(text);
  }
  // Together 0.3 s; each of them took more than a second where it took quadratic time.
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});
