/** How much each gateway may have to do: at once in one process, and a second in the whole installation. */
import { type SmsGatewayName, smsGatewayNames } from '#values/sms-gateways.ts';
import { ConfigError, type Environment } from './environment.ts';

export type LimitedGateway = (typeof limitedGateways)[number];

/** All that messages go out through, but the sandbox. */
const limitedGateways = [...smsGatewayNames, 'smtp'] as const;

/** Those that are reached over HTTP: SMPP and SMTP keep connections of their own. */
const httpGateways = smsGatewayNames.filter((name) => name !== 'smpp');

export type GatewayLimits = Readonly<Partial<Record<LimitedGateway, number>>>;

export interface GatewayIdleConfig {
  /** Seconds for which a connection without work is kept, where it is not the usual number; 0: none is kept. */
  readonly gatewayIdle: GatewayLimits;
}

export interface GatewayLimitsConfig extends GatewayIdleConfig {
  /** Hand-overs under way at once in one process, where it is not the usual number. */
  readonly gatewayConcurrency: GatewayLimits;
  /** Messages a second over all processes; a gateway without a number has no such limit. */
  readonly gatewayRate: GatewayLimits;
}

/** Each is a connection of its own, and mail servers want few. */
const usualSmtpConcurrency = 5;

/** Undefined: as limiters are unless they are told otherwise. */
export function concurrencyOf(
  { gatewayConcurrency }: GatewayLimitsConfig,
  gateway: LimitedGateway,
): number | undefined {
  return gatewayConcurrency[gateway] ?? (gateway === 'smtp' ? usualSmtpConcurrency : undefined);
}

/** smsbox closes what has been silent for 60 seconds. Of the others that is not known: most servers wait for 5 or longer. */
const usualIdleSeconds: GatewayLimits = { kannel: 30 };
const otherwiseIdleSeconds = 4;

/** Always shorter than the gateway itself waits: a request that meets the end of a connection has an unknown outcome. */
export function idleSecondsOf(
  { gatewayIdle }: Partial<GatewayIdleConfig>,
  gateway: Exclude<SmsGatewayName, 'smpp'>,
): number {
  return gatewayIdle?.[gateway] ?? usualIdleSeconds[gateway] ?? otherwiseIdleSeconds;
}

interface Form {
  readonly gateways: readonly LimitedGateway[];
  readonly number: RegExp;
  readonly atMost: number;
  readonly words: string;
  readonly example: string;
}

function limits(
  env: Environment,
  variable: string,
  { gateways, number, atMost, words, example }: Form,
): GatewayLimits {
  const found: Partial<Record<LimitedGateway, number>> = {};
  const entries = (env[variable] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    const [name = '', text = '', ...more] = entry.split(':').map((part) => part.trim());
    const gateway = gateways.find((known) => known === name);
    if (gateway === undefined) {
      throw new ConfigError(`${variable} names ${name}, which is not one of: ${gateways.join(', ')}`);
    }
    const amount = Number(text);
    if (more.length > 0 || !number.test(text) || amount > atMost) {
      throw new ConfigError(`${variable}: ${entry} is not a gateway and ${words}, such as ${example}`);
    }
    if (found[gateway] !== undefined) throw new ConfigError(`${variable} names ${name} twice`);
    found[gateway] = amount;
  }
  return found;
}

/** Throws ConfigError. A gateway that is not in use may have a limit too. */
export function readGatewayLimits(env: Environment): GatewayLimitsConfig {
  return {
    gatewayIdle: limits(env, 'PITLANE_GATEWAY_IDLE', {
      gateways: httpGateways,
      number: /^\d{1,3}$/,
      atMost: 600,
      words: 'a whole number of seconds from 0 to 600',
      example: 'twilio:20',
    }),
    gatewayConcurrency: limits(env, 'PITLANE_GATEWAY_CONCURRENCY', {
      gateways: limitedGateways,
      number: /^[1-9]\d{0,2}$/,
      atMost: 100,
      words: 'a whole number from 1 to 100',
      example: 'kannel:20',
    }),
    gatewayRate: limits(env, 'PITLANE_GATEWAY_RATE', {
      gateways: limitedGateways,
      number: /^(?![0.]+$)\d{1,4}(?:\.\d{1,3})?$/,
      atMost: 1_000,
      words: 'messages a second, from 0.001 to 1000',
      example: 'twilio:1',
    }),
  };
}
