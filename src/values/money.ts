/** Amounts on the wire: JSON numbers with at most two decimals (decisions, section 1, Money). */

/** In the workshop's currency. */
export const moneyAtMost = 9_999_999.99;

/** True for 0 to 9,999,999.99 with at most two decimals, by the shortest decimal text of the number. */
export function isMoney(value: number): boolean {
  return value >= 0 && value <= moneyAtMost && /^\d+(?:\.\d{1,2})?$/.test(String(value));
}
