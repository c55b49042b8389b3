/** How much each gateway may have to do: at once in one process, and a second in the whole installation. */
import { smsGatewayNames } from '#values/sms-gateways.ts';
import { ConfigError, type Environment } from './environment.ts';

export type LimitedGateway = (typeof limitedGateways)[number];

/** All that messages go out through, but the sandbox. */
const limitedGateways = [...smsGatewayNames, 'smtp'] as const;

export type GatewayLimits = Readonly<Partial<Record<LimitedGateway, number>>>;

export interface GatewayLimitsConfig {
  /** Hand-overs under way at once in one process, where it is not the usual number. */
  readonly gatewayConcurrency: GatewayLimits;
  /** Messages a second over all processes; a gateway without a number has no such limit. */
  readonly gatewayRate: GatewayLimits;
}

/** Each is a connection of its own, and mail servers want few. */
const usualSmtpConcurrency = 5;

/** Undefined: as lanes are unless they are told otherwise. */
export function concurrencyOf(
  { gatewayConcurrency }: GatewayLimitsConfig,
  gateway: LimitedGateway,
): number | undefined {
  return gatewayConcurrency[gateway] ?? (gateway === 'smtp' ? usualSmtpConcurrency : undefined);
}

function isGateway(name: string): name is LimitedGateway {
  return limitedGateways.some((known) => known === name);
}

interface Form {
  readonly number: RegExp;
  readonly atMost: number;
  readonly words: string;
  readonly example: string;
}

function limits(env: Environment, variable: string, { number, atMost, words, example }: Form): GatewayLimits {
  const found: Partial<Record<LimitedGateway, number>> = {};
  const entries = (env[variable] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    const [name = '', text = '', ...more] = entry.split(':').map((part) => part.trim());
    if (!isGateway(name)) {
      throw new ConfigError(`${variable} names ${name}, which is not one of: ${limitedGateways.join(', ')}`);
    }
    if (more.length > 0 || !number.test(text) || Number(text) <= 0 || Number(text) > atMost) {
      throw new ConfigError(`${variable}: ${entry} is not a gateway and ${words}, such as ${example}`);
    }
    if (found[name] !== undefined) throw new ConfigError(`${variable} names ${name} twice`);
    found[name] = Number(text);
  }
  return found;
}

/** Throws ConfigError. A gateway that is not in use may have a limit too. */
export function readGatewayLimits(env: Environment): GatewayLimitsConfig {
  return {
    gatewayConcurrency: limits(env, 'PITLANE_GATEWAY_CONCURRENCY', {
      number: /^\d{1,3}$/,
      atMost: 100,
      words: 'a whole number from 1 to 100',
      example: 'kannel:20',
    }),
    gatewayRate: limits(env, 'PITLANE_GATEWAY_RATE', {
      number: /^\d{1,4}(?:\.\d{1,3})?$/,
      atMost: 1_000,
      words: 'messages a second, from 0.001 to 1000',
      example: 'twilio:1',
    }),
  };
}
