/** The setting with the price of a segment of an SMS, which is shown to those who write one. */
import type { SegmentPrice } from '../values/segment-price.ts';
import { ConfigError, type Kind } from './setting.ts';

const form = /^(\d{1,6})(?:\.(\d{1,6}))? ([A-Z]{3})$/;

/** An amount and the code of its currency: `0.079 AUD`. */
export const segmentPrice: Kind<SegmentPrice> = {
  form: 'an amount and a currency, as `0.079 AUD`',
  parse(given, name) {
    const [matched, whole = '', fraction = '', currency = ''] = form.exec(given) ?? [];
    if (matched === undefined) throw new ConfigError(`${name}=${given} is not like 0.079 AUD`);
    return { units: Number(whole + fraction), decimals: fraction.length, currency };
  },
};
