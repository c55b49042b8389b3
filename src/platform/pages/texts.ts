/** Amounts and durations as people read them. */
import { currencyOf } from '#base/values/money.ts';

/** `$249.00`; `249.00` where the country's currency is not known. */
export function amountText(amount: number, country: string): string {
  const currency = currencyOf(country);
  if (currency === undefined) return amount.toFixed(2);
  return new Intl.NumberFormat('en-AU', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).format(amount);
}

/** `$129.00 – $189.00`; one amount when they are the same; empty without a cost. */
export function priceText(cost: number | null, maxCost: number | null, country: string): string {
  if (cost === null) return maxCost === null ? '' : `up to ${amountText(maxCost, country)}`;
  if (maxCost === null || maxCost === cost) return amountText(cost, country);
  return `${amountText(cost, country)} – ${amountText(maxCost, country)}`;
}

/** `Total incl. GST`, `$249.00 incl. GST`: with what the workshop says of taxes; null: nothing. */
export const taxed = (what: string, taxLabel: string | null): string =>
  [what, taxLabel].filter(Boolean).join(' ');

/** `45 min`, `2 h`, `1 h 30 min`. */
export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}
