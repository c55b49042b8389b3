/** The SMS gateways that are configured. Each is loaded when it is needed. */
import type { SmsConfig, SmsGatewaySettings } from '#config/sms-gateways.ts';
import { createLane, type Lane } from '#gateways/lane/lane.ts';
import { throttled } from '#gateways/lane/throttled-sms.ts';
import type { SmsGatewayName } from '#values/sms-gateways.ts';
import type { SmsGateway } from './gateway.ts';
import { routed } from './router.ts';

/** Null when none is configured. Whatever goes to a gateway passes its lane. */
export async function createSmsGateways(
  config: SmsConfig,
  laneOf: (gateway: SmsGatewayName) => Lane = (name) => createLane({ name }),
): Promise<SmsGateway | null> {
  const { smsGateways, smsRoute, publicUrl } = config;
  if (smsGateways.length === 0) return null;
  const gateways = await Promise.all(
    smsGateways.map(async (settings) =>
      throttled(await create(settings, `${publicUrl}`), laneOf(settings.name)),
    ),
  );
  return routed(gateways, smsRoute);
}

async function create(settings: SmsGatewaySettings, publicUrl: string): Promise<SmsGateway> {
  // Where the gateway's own requests come: `/reports` and `/inbound` below it.
  const callbackUrl = `${publicUrl}/gateways/${settings.name}`;
  switch (settings.name) {
    case 'kannel': {
      const { kannelSms } = await import('./kannel.ts');
      return kannelSms({ ...settings, reportsUrl: `${callbackUrl}/reports` });
    }
    case 'smpp': {
      const { smppSms } = await import('./smpp/smpp.ts');
      return smppSms(settings);
    }
    case 'twilio': {
      const { twilioSms } = await import('./twilio/twilio.ts');
      return twilioSms({ ...settings, publicUrl });
    }
    case 'messagemedia': {
      const { messageMediaSms } = await import('./messagemedia/messagemedia.ts');
      return messageMediaSms({ ...settings, publicUrl });
    }
    case 'clicksend': {
      const { clickSendSms } = await import('./clicksend/clicksend.ts');
      return clickSendSms(settings);
    }
  }
}
