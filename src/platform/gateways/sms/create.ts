/** Creates the configured SMS gateways. The code of each is loaded when it is needed. */
import { type GatewayIdleConfig, idleSecondsOf } from '#base/config/gateway-limits.ts';
import type { SmppSettings } from '#base/config/sms/smpp.ts';
import type { SmsConfig, SmsGatewaySettings } from '#base/config/sms-gateways.ts';
import type { SmsGatewayName } from '#base/values/sms-gateways.ts';
import type { HttpPool, HttpPoolOptions } from '#platform/gateways/http-pool.ts';
import { createLimiter, type GatewayLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import type { SmsGateway } from './gateway.ts';
import { routed } from './router.ts';

/** Null when none is configured. Every call of a gateway passes its limiter. */
export async function createSmsGateways(
  config: SmsConfig & Partial<GatewayIdleConfig>,
  limiterOf: (gateway: SmsGatewayName) => GatewayLimiter = (name) => createLimiter({ name }),
): Promise<SmsGateway | null> {
  const { smsGateways, smsGatewayOrder, publicUrl } = config;
  if (smsGateways.length === 0) return null;
  const gateways = await Promise.all(
    smsGateways.map(async (settings) => {
      const limiter = limiterOf(settings.name);
      const gateway =
        settings.name === 'smpp'
          ? await createSmpp(settings)
          : await createHttp(settings, `${publicUrl}`, {
              connections: limiter.concurrency,
              idleMs: idleSecondsOf(config, settings.name) * 1_000,
            });
      return throttled(gateway, limiter);
    }),
  );
  return routed(gateways, smsGatewayOrder);
}

async function createSmpp(settings: SmppSettings): Promise<SmsGateway> {
  const { smppSms } = await import('./smpp.ts');
  return smppSms(settings);
}

type HttpSettings = Exclude<SmsGatewaySettings, SmppSettings>;

/** The options say which connections it keeps. */
async function createHttp(
  settings: HttpSettings,
  publicUrl: string,
  options: HttpPoolOptions,
): Promise<SmsGateway> {
  const { createHttpPool } = await import('#platform/gateways/http-pool.ts');
  const http = createHttpPool(options);
  return { ...(await gatewayOver(http, settings, publicUrl)), close: () => http.close() };
}

async function gatewayOver(http: HttpPool, settings: HttpSettings, publicUrl: string): Promise<SmsGateway> {
  // The gateway calls back at `/reports` and `/inbound` below this URL.
  const callbackUrl = `${publicUrl}/gateways/${settings.name}`;
  switch (settings.name) {
    case 'kannel': {
      const { kannelSms } = await import('./kannel.ts');
      return kannelSms({ ...settings, http, reportsUrl: `${callbackUrl}/reports` });
    }
    case 'twilio': {
      const { twilioSms } = await import('./twilio/twilio.ts');
      return twilioSms({ ...settings, http, publicUrl });
    }
    case 'messagemedia': {
      const { messageMediaSms } = await import('./messagemedia/messagemedia.ts');
      return messageMediaSms({ ...settings, http, publicUrl });
    }
    case 'clicksend': {
      const { clickSendSms } = await import('./clicksend/clicksend.ts');
      return clickSendSms({ ...settings, http });
    }
  }
}
