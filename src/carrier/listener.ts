/** Takes in what comes over the connections that gateways keep. */
import type { Context } from '#context.ts';
import type { SmsListener } from '#gateways/sms/gateway.ts';
import { receiveSms } from '#messaging/inbound/receive.ts';
import { recordReport } from './record-report.ts';

export function smsListener(context: Context): SmsListener {
  return {
    report: (gateway, report) => recordReport(context.db, gateway, report, context.clock.now()),
    receive: (gateway, sms) => receiveSms(context, gateway, sms),
    connection: (gateway, isConnected, detail) =>
      context.log[isConnected ? 'info' : 'warn']({ gateway }, detail),
  };
}
