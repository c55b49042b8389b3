/** How much of what is sent the sandbox keeps, by the gateways that the settings name; and what its SMS would cost. */
import { ConfigError, type Kind } from './setting.ts';

export interface GatewaySettings {
  readonly smsGateways: readonly unknown[];
  readonly smtp: object | null;
}

/** True when SMS or e-mails, or both, go to the sandbox. */
export function usesSandbox({ smsGateways, smtp }: GatewaySettings): boolean {
  return smsGateways.length === 0 || smtp === null;
}

/** True when all that is sent goes to the sandbox: nothing leaves the machine, so this installation has no real customers. */
export function isSandboxAlone({ smsGateways, smtp }: GatewaySettings): boolean {
  return smsGateways.length === 0 && smtp === null;
}

/** True when others than this machine may read what goes to the sandbox, by PITLANE_SANDBOX. */
export function isSandboxOpen(settings: GatewaySettings & { readonly sandboxForced: boolean }): boolean {
  return settings.sandboxForced && usesSandbox(settings);
}

/** What one segment of an SMS costs. */
export interface SegmentPrice {
  /** At most four decimals. */
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
}

export const segmentPrice: Kind<SegmentPrice> = {
  form: 'a price and its currency, such as `0.05 AUD`',
  parse(text, name) {
    const [, amount, currency = ''] = /^(\d{1,6}(?:\.\d{1,4})?) ([A-Z]{3})$/.exec(text) ?? [];
    if (amount !== undefined) return { amount: Number(amount), currency };
    throw new ConfigError(`${name}=${text} is not a price and its currency, such as 0.05 AUD`);
  },
};
