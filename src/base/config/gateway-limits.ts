/** The limits of each gateway: concurrent hand-overs of one process, and messages a second of the whole installation. */
import { type SmsGatewayName, smsGatewayNames } from '#base/values/sms-gateways.ts';
import { entriesOf } from './kinds.ts';
import { ConfigError, type Environment, type Kind, read, setting, type Values } from './setting.ts';

export type LimitedGateway = (typeof limitedGateways)[number];

/** Every gateway except the sandbox. */
const limitedGateways = [...smsGatewayNames, 'smtp'] as const;

/** The gateways over HTTP; SMPP and SMTP manage their own connections. */
const httpGateways = smsGatewayNames.filter((name) => name !== 'smpp');

export type GatewayLimits = Readonly<Partial<Record<LimitedGateway, number>>>;

/** Each is a connection of its own, and mail servers want few. */
const usualSmtpConcurrency = 5;

/** Undefined: the limiter's default. */
export function concurrencyOf(
  { gatewayConcurrency }: GatewayLimitsConfig,
  gateway: LimitedGateway,
): number | undefined {
  return gatewayConcurrency[gateway] ?? (gateway === 'smtp' ? usualSmtpConcurrency : undefined);
}

/**
 * smsbox closes connections after 60 silent seconds. The other gateways' limits are unknown; most servers wait for 5 seconds or
 * longer.
 */
const usualIdleSeconds = { kannel: 30 } satisfies GatewayLimits;
const otherwiseIdleSeconds = 4;

/** Always shorter than the gateway's own limit: a request that meets the closing of a connection has an unknown outcome. */
export function idleSecondsOf(
  { gatewayIdle }: Partial<GatewayIdleConfig>,
  gateway: Exclude<SmsGatewayName, 'smpp'>,
): number {
  const usual: GatewayLimits = usualIdleSeconds;
  return gatewayIdle?.[gateway] ?? usual[gateway] ?? otherwiseIdleSeconds;
}

interface Form {
  readonly gateways: readonly LimitedGateway[];
  readonly number: RegExp;
  readonly atMost: number;
  readonly words: string;
  readonly example: string;
}

/** A number for each of some gateways: `kannel:20,smtp:5`. */
function perGateway({ gateways, number, atMost, words, example }: Form): Kind<GatewayLimits> {
  return {
    form: `gateways, each with ${words}`,
    parse(text, variable) {
      const found: Partial<Record<LimitedGateway, number>> = {};
      for (const entry of entriesOf(text)) {
        const [name = '', amountText = '', ...more] = entry.split(':').map((part) => part.trim());
        const gateway = gateways.find((known) => known === name);
        if (gateway === undefined) {
          throw new ConfigError(`${variable} names ${name}, which is not one of: ${gateways.join(', ')}`);
        }
        const amount = Number(amountText);
        if (more.length > 0 || !number.test(amountText) || amount > atMost) {
          throw new ConfigError(`${variable}: ${entry} is not a gateway and ${words}, such as ${example}`);
        }
        if (found[gateway] !== undefined) throw new ConfigError(`${variable} names ${name} twice`);
        found[gateway] = amount;
      }
      return found;
    },
  };
}

const concurrency = perGateway({
  gateways: limitedGateways,
  number: /^[1-9]\d{0,2}$/,
  atMost: 100,
  words: 'a whole number from 1 to 100',
  example: 'kannel:20',
});
const rate = perGateway({
  gateways: limitedGateways,
  number: /^(?![0.]+$)\d{1,4}(?:\.\d{1,3})?$/,
  atMost: 1_000,
  words: 'messages a second, from 0.001 to 1000',
  example: 'twilio:1',
});
const idle = perGateway({
  gateways: httpGateways,
  number: /^\d{1,3}$/,
  atMost: 600,
  words: 'a whole number of seconds from 0 to 600',
  example: 'twilio:20',
});

export const gatewayLimitSettings = {
  /** Concurrent hand-overs of one process, if not the default. */
  gatewayConcurrency: setting('PITLANE_GATEWAY_CONCURRENCY', concurrency, {
    default: '',
    unset: `10 each, \`smtp\` ${usualSmtpConcurrency}`,
    help: 'Hand-overs at once to each gateway, in one process. See [rate, concurrency, breaker](../gateways.md#rate-concurrency-breaker).',
    example: 'kannel:20,smtp:5',
  }),
  /** Messages a second over all processes; a gateway without a number has no such limit. */
  gatewayRate: setting('PITLANE_GATEWAY_RATE', rate, {
    default: '',
    help: 'Messages a second to each gateway, in the whole installation.',
    example: 'kannel:30,twilio:0.5',
  }),
  /** Seconds for which an idle connection is kept, if not the default; 0: none is kept. */
  gatewayIdle: setting('PITLANE_GATEWAY_KEEP_ALIVE_SECONDS', idle, {
    formerly: 'PITLANE_GATEWAY_IDLE',
    default: '',
    unset: `\`kannel\` ${usualIdleSeconds.kannel}, others ${otherwiseIdleSeconds}`,
    help: 'How long a connection to a gateway behind HTTP is kept without work. See [connections](../gateways.md#connections).',
    example: 'kannel:30,twilio:20',
  }),
};

/** Gateways that are not in use may have limits too. */
export type GatewayLimitsConfig = Values<typeof gatewayLimitSettings>;
export type GatewayIdleConfig = Pick<GatewayLimitsConfig, 'gatewayIdle'>;

/** Throws ConfigError. */
export function readGatewayLimits(env: Environment): GatewayLimitsConfig {
  return read(env, gatewayLimitSettings);
}
