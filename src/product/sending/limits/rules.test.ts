/** Which numbers get no SMS. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSmsLimits } from '#base/config/sms-limits.ts';
import { limitTexts, numberRefusal } from './rules.ts';

const premiumRate = [
  ...['+611900654321', '+19005550123', '+449098790123', '+33899123456', '+64900123456', '+499001234567'],
  ...['+3531520123456', '+979123456789'],
];
const usual = {
  AU: ['+61491570006', '+61355500100', '+611800975711', '+61131234'],
  NZ: ['+6421123456'],
  GB: ['+447400123456'],
  US: ['+12015550123'],
  CA: ['+15062345678'],
};

test('premium-rate numbers get no SMS, whichever countries are named', () => {
  for (const countries of [[], ['AU', 'US', 'GB', 'FR', 'NZ', 'DE', 'IE']])
    for (const number of premiumRate) assert.equal(numberRefusal(number, countries), 'premiumRate', number);
});

test('numbers of every country get SMS, unless the operator names some', () => {
  for (const [country, numbers] of Object.entries(usual))
    for (const number of numbers) {
      assert.equal(numberRefusal(number, []), null, number);
      assert.equal(numberRefusal(number, [country, 'LI']), null, number);
      assert.equal(numberRefusal(number, ['LI']), 'countryNotAllowed', number);
    }
});

test('countries that share a calling code are distinguished', () => {
  for (const [number, countries] of [
    ['+15062345678', ['US']],
    ['+18765550123', ['US', 'CA']],
    ['+447797712345', ['GB']],
    ['+77012345678', ['RU']],
  ] as const)
    assert.equal(numberRefusal(number, countries), 'countryNotAllowed', number);
});

test('a number that belongs to no country gets no SMS unless its calling code is named', () => {
  for (const number of ['+870773111632', '+881612345678', '+882161234567', '+883510012345', '+80012345678']) {
    const code = number.slice(0, 4);
    for (const allowed of [[], ['AU', 'US'], ['+878'], ['AU', '+878']])
      assert.equal(numberRefusal(number, allowed), 'countryNotAllowed', number);
    for (const allowed of [[code], ['AU', code]]) assert.equal(numberRefusal(number, allowed), null, number);
    // Naming a calling code without any country does not exclude the countries.
    assert.equal(numberRefusal('+6421123456', [code]), null);
    assert.equal(numberRefusal('+6421123456', ['AU', code]), 'countryNotAllowed');
  }
  for (const number of ['+210123456789', '+999123456'])
    for (const allowed of [[], ['AU'], ['+881']])
      assert.equal(numberRefusal(number, allowed), 'countryNotAllowed', number);
});

test('a text that is not a phone number belongs to no named country', () => {
  for (const text of ['TELCO', '']) {
    assert.equal(numberRefusal(text, ['AU', 'US']), 'countryNotAllowed', text);
    assert.equal(numberRefusal(text, []), null, text);
  }
});

test('each refusal has its own text', () => {
  assert.equal(new Set(Object.values(limitTexts)).size, Object.keys(limitTexts).length);
});

test('settings: no limits by default; the error names a bad value', () => {
  const none = {
    smsCountries: [],
    smsDailyPerPartner: null,
    smsDailyPerWorkshop: null,
    pageSmsCountries: [],
    pageSmsPerWorkshop: 200,
    staffSmsPerWorkshop: 300,
    segmentPrice: null,
    optOutExemptCountries: [],
  };
  assert.deepEqual(readSmsLimits({}), none);
  assert.deepEqual(readSmsLimits({ PITLANE_SMS_COUNTRIES: '', PITLANE_SMS_DAILY_PER_PARTNER: '' }), none);
  assert.deepEqual(
    readSmsLimits({
      PITLANE_SMS_COUNTRIES: 'au, nz',
      PITLANE_SMS_DAILY_PER_PARTNER: '5000',
      PITLANE_SMS_DAILY_PER_WORKSHOP: '1',
    }),
    { ...none, smsCountries: ['AU', 'NZ'], smsDailyPerPartner: 5000, smsDailyPerWorkshop: 1 },
  );
  assert.deepEqual(readSmsLimits({ PITLANE_SMS_COUNTRIES: 'nz,+881,+881' }).smsCountries, ['NZ', '+881']);
  for (const wrong of ['+61', '+1', '881', '+'])
    assert.throws(
      () => readSmsLimits({ PITLANE_SMS_COUNTRIES: wrong }),
      /PITLANE_SMS_COUNTRIES: .+ is not a/,
    );
  assert.throws(() => readSmsLimits({ PITLANE_SMS_COUNTRIES: 'UK' }), /PITLANE_SMS_COUNTRIES: UK is not/);
  for (const value of ['0', '-1', '1.5', 'many'])
    for (const name of ['PITLANE_SMS_DAILY_PER_PARTNER', 'PITLANE_SMS_DAILY_PER_WORKSHOP'])
      assert.throws(() => readSmsLimits({ [name]: value }), new RegExp(`${name}=${value} is not a whole`));
});
