/** The text that is stored with a delivery report, for people. */

import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';

/** For a failure without a reason from the gateway. */
const words: Readonly<Record<DeliveryReport['state'], string | null>> = {
  accepted: null,
  delivered: null,
  undelivered: 'The carrier could not deliver it, and does not say why.',
  expired: 'The carrier could not deliver it in the time that it tries.',
};

/** The gateway's text without addresses, credentials and phone numbers; null unless the report is a failure. */
export function detailOf({ state, detail }: Pick<DeliveryReport, 'state' | 'detail'>): string | null {
  return words[state] && (redactedGatewayText(detail ?? '') || words[state]);
}
