/** Settings of allowed countries, and of daily numbers of SMS. */
import { countries, countriesAndCodes } from './countries.ts';
import { integer } from './kinds.ts';
import { segmentPrice } from './segment-price.ts';
import { type Environment, read, setting, type Values } from './setting.ts';

const ceiling = integer({ from: 1, to: 100_000_000, unit: 'SMS a day (UTC)' });

export const smsLimitSettings = {
  /** ISO 3166 codes (none: all), and the calling codes of numbers without a country that get SMS too. */
  smsCountries: setting('PITLANE_SMS_COUNTRIES', countriesAndCodes, {
    default: '',
    unset: 'all countries',
    help: 'Countries whose numbers get SMS. Numbers without a country, such as those of satellite phones, get none unless their calling code is named. See [limits](sms-limits.md).',
  }),
  /** Null: any number. */
  smsDailyPerPartner: setting('PITLANE_SMS_DAILY_PER_PARTNER', ceiling, {
    help: 'What goes out for each partner: its messages and the notices of its bookings.',
  }),
  /** Null: any number. */
  smsDailyPerWorkshop: setting('PITLANE_SMS_DAILY_PER_WORKSHOP', ceiling, {
    help: 'All that goes out for each workshop.',
  }),
  /** ISO 3166 codes, beside the country of each workshop. */
  pageSmsCountries: setting('PITLANE_PAGE_SMS_COUNTRIES', countries, {
    default: '',
    unset: "the workshop's own",
    help: "Countries whose numbers customers may book with on a workshop's pages, beside its own country. [What strangers can trigger](sms-limits.md#what-strangers-can-trigger).",
  }),
  pageSmsPerWorkshop: setting(
    'PITLANE_PAGE_SMS_PER_WORKSHOP',
    integer({ from: 0, to: 1_000_000, unit: 'SMS an hour' }),
    {
      default: '200',
      help: 'What the pages of each workshop send, to customers and to the workshop. What is over it goes by e-mail only.',
    },
  ),
  staffSmsPerWorkshop: setting(
    'PITLANE_STAFF_SMS_PER_WORKSHOP',
    integer({ from: 1, to: 1_000_000, unit: 'SMS an hour' }),
    {
      default: '300',
      help: 'What the people of each workshop word and send, by all ways together; each person at most 60. [Texts of people](sms-limits.md#texts-of-people).',
    },
  ),
  /** Null: texts show segments alone. */
  segmentPrice: setting('PITLANE_SMS_SEGMENT_PRICE', segmentPrice, {
    unset: 'only segments are shown',
    example: '0.079 AUD',
    help: 'What a segment costs, for people who write a text: they see what theirs will cost beside its segments. [Texts of people](sms-limits.md#texts-of-people).',
  }),
  /** Where a booking's own notices go by SMS to customers who have opted out: the operator says that it is allowed there. */
  optOutExemptCountries: setting('PITLANE_OPT_OUT_EXEMPT_COUNTRIES', countries, {
    default: '',
    help: 'Countries whose workshops send the notices of a booking by SMS to its customer although they have opted out. [Only where the law permits it](customers.md).',
  }),
};

export type SmsRules = Values<typeof smsLimitSettings>;

/** Throws ConfigError. */
export function readSmsLimits(env: Environment): SmsRules {
  return read(env, smsLimitSettings);
}
