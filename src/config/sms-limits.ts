/** What keeps SMS from being sent for somebody else's profit ("SMS pumping"): where they may go, and how many a day. */
import { countries } from './countries.ts';
import { type Environment, integer } from './environment.ts';

export interface SmsLimits {
  /** ISO 3166 codes of the countries whose numbers get SMS; empty: all. */
  readonly smsCountries: readonly string[];
  /** SMS that are handed over for one partner, or for one workshop, in a day (UTC); null: any number. */
  readonly smsDailyPerPartner: number | null;
  readonly smsDailyPerWorkshop: number | null;
}

function ceiling(env: Environment, name: string): number | null {
  return env[name] ? integer(env, name, 1, 1, 100_000_000) : null;
}

/** Throws ConfigError. */
export function readSmsLimits(env: Environment): SmsLimits {
  return {
    smsCountries: countries(env, 'PITLANE_SMS_COUNTRIES'),
    smsDailyPerPartner: ceiling(env, 'PITLANE_SMS_DAILY_PER_PARTNER'),
    smsDailyPerWorkshop: ceiling(env, 'PITLANE_SMS_DAILY_PER_WORKSHOP'),
  };
}
