/** The opt-out rule, in one place (specification: Opting out). */
import { type Kind, kinds, kindsThat, sqlList } from './kinds.ts';

const named = (rule: Kind['optOut']) => sqlList(kindsThat(({ optOut }) => optOut === rule));

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
