/** Refuses settings that are unsafe on an address that others can reach. */
import { isLoopback } from './loopback.ts';
import { type GatewaySettings, usesSandbox } from './sandbox.ts';
import { ConfigError } from './setting.ts';

export interface ExposureSettings extends GatewaySettings {
  readonly host: string;
  readonly role: 'all' | 'api' | 'worker';
  readonly sandboxForced: boolean;
  readonly webhooksAllowPrivate: boolean;
}

/** Throws ConfigError with every reason not to serve on that address. */
export function requireSafeAddress(settings: ExposureSettings): void {
  const { host, role, sandboxForced, webhooksAllowPrivate } = settings;
  if (isLoopback(host)) return;
  const faults: string[] = [];
  if (role !== 'worker' && usesSandbox(settings) && !sandboxForced) {
    faults.push(
      `HOST=${host} is open to others and needs ${absent(settings)}: set that, or PITLANE_SANDBOX=on to serve the sandbox there, or HOST=127.0.0.1`,
    );
  }
  if (webhooksAllowPrivate) {
    faults.push(
      `PITLANE_WEBHOOKS_ALLOW_PRIVATE=on is for development: with HOST=${host}, which is open to others, partners could reach this network through webhooks`,
    );
  }
  if (faults.length > 0) throw new ConfigError(...faults);
}

function absent({ smsGateways, smtp }: GatewaySettings): string {
  return [
    ...(smsGateways.length === 0 ? ['an SMS gateway (PITLANE_SMS_GATEWAYS)'] : []),
    ...(smtp === null ? ['a mail server (SMTP_URL)'] : []),
  ].join(' and ');
}
