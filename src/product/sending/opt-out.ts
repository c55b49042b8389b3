/** The opt-out rule, in one place (specification: Opting out). */
import { type Kind, type KindName, kinds, kindsThat, sqlList } from './kinds.ts';

const named = (rule: Kind['optOut']) => sqlList(kindsThat(({ optOut }) => optOut === rule));

const judged = sqlList(kindsThat(({ skippedWhileAsked }) => skippedWhileAsked));

/**
 * An SQL expression: the customer of the row `customer`, which may be missing, may have asked for no more texts, and staff have not
 * decided (specification: Opting out 8).
 */
export const mayHaveOptedOut = (customer: string): string =>
  `EXISTS (
    SELECT FROM talk asked
     WHERE asked.customer_id = coalesce(${customer}.merged_into, ${customer}.id) AND asked.asked_id IS NOT NULL)`;

/** An SQL expression: whether this message is skipped for that. `message` and `customer` as below. */
export const askSkips = (message: string, customer: string): string =>
  `(${message}.kind IN (${judged}) AND ${message}.channel = 'sms' AND ${message}.audience = 'customer' AND ${mayHaveOptedOut(customer)})`;

/** The same for an SMS of one known kind to a customer. */
export const askSkipsKind = (kind: KindName, customer: string): string =>
  kinds[kind].skippedWhileAsked ? mayHaveOptedOut(customer) : 'false';

/** The opt-out rule for an SMS of one known kind to a customer; `optedOut` is an SQL expression. */
export function optOutStopsKind(kind: 'partnerMessage' | 'serviceReminder', optedOut: string): string {
  return kinds[kind].optOut === 'binds' ? optedOut : 'false';
}

/**
 * An SQL expression: whether the opt-out of its customer stops this message. `message` has `kind`, `channel`, `audience` and
 * `despite_opt_out`; `customer` is a row that may be missing; `exemptCountries` is a text[] expression.
 */
export function optOutStops(
  message: string,
  customer: string,
  workshop: string,
  exemptCountries: string,
): string {
  return `coalesce(${message}.channel = 'sms' AND ${message}.audience = 'customer' AND ${customer}.opted_out_at IS NOT NULL
    AND (${message}.kind IN (${named('binds')})
      OR ${message}.kind IN (${named('exceptConfirmation')}) AND NOT ${message}.despite_opt_out
      OR ${message}.kind IN (${named('exemptCountries')}) AND ${workshop}.country <> ALL(${exemptCountries})), false)`;
}
