/** The SMS gateways that are configured. Each is loaded when it is needed. */
import type { SmsConfig, SmsGatewaySettings } from '#config/sms-gateways.ts';
import type { SmsGateway } from './gateway.ts';
import { routed } from './router.ts';

/** Null when none is configured. */
export async function createSmsGateways(config: SmsConfig): Promise<SmsGateway | null> {
  const { smsGateways, smsRoute, publicUrl } = config;
  if (smsGateways.length === 0) return null;
  const gateways = await Promise.all(
    smsGateways.map((settings) => create(settings, `${publicUrl}/gateways/${settings.name}`)),
  );
  return routed(gateways, smsRoute);
}

/** `callbackUrl` is where the gateway's own requests come: `/reports` and `/inbound` below it. */
async function create(settings: SmsGatewaySettings, callbackUrl: string): Promise<SmsGateway> {
  switch (settings.name) {
    case 'kannel': {
      const { kannelSms } = await import('./kannel.ts');
      return kannelSms({ ...settings, reportsUrl: `${callbackUrl}/reports` });
    }
  }
}
