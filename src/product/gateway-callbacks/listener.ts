/** Handles events on the connections that gateways keep open: delivery reports, inbound SMS, late acceptances. */
import type { Context } from '#platform/context.ts';
import type { SmsListener } from '#platform/gateways/sms/gateway.ts';
import { takePart } from '#product/messaging/inbound/parts/take.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { countReport } from './count-report.ts';
import { recordAcceptance } from './record-acceptance.ts';
import { recordReport } from './record-report.ts';

export function smsListener(context: Context): SmsListener {
  return {
    async report(gateway, report) {
      await recordReport(context, gateway, report);
      countReport(context, gateway, report);
    },
    receive: async (gateway, sms) => void (await receiveSms(context, gateway, sms)),
    receivePart: (gateway, part) => takePart(context, gateway, part),
    accepted: (gateway, reference, acceptance) => recordAcceptance(context, gateway, reference, acceptance),
    connection: (gateway, isConnected, detail, use) =>
      context.log[isConnected ? 'info' : 'warn']({ gateway, ...(use && { use }) }, detail),
  };
}
