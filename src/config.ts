/** The environment, read once. The only file that looks at `process.env`. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { countries } from './config/countries.ts';
import { type EmailConfig, readEmailConfig } from './config/email.ts';
import { ConfigError, type Environment, integer, oneOf, url } from './config/environment.ts';
import { type GatewayLimitsConfig, readGatewayLimits } from './config/gateway-limits.ts';
import { readSmsConfig, type SmsConfig } from './config/sms-gateways.ts';
import { readSmsLimits, type SmsLimits } from './config/sms-limits.ts';

export const roles = ['all', 'api', 'worker'] as const;
export type Role = (typeof roles)[number];

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config extends SmsConfig, SmsLimits, EmailConfig, GatewayLimitsConfig {
  /** 0 takes any free port (tests). */
  readonly port: number;
  readonly host: string;
  /** Absolute path of the data folder: embedded PostgreSQL, secret key. */
  readonly dataDir: string;
  /** Null means the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Connections that one process holds at most. */
  readonly databasePoolSize: number;
  /** Demo data, on an empty embedded database only. */
  readonly demo: boolean;
  readonly role: Role;
  /** 32 bytes; null means: made and kept in the data folder. */
  readonly secretKey: Buffer | null;
  /** What Fastify takes: false, true, a number of hops, or addresses. */
  readonly trustProxy: boolean | number | string;
  readonly logLevel: LogLevel;
  /** True when PITLANE_SANDBOX=on: the sandbox is allowed on a public address. */
  readonly sandboxForced: boolean;
  /** Added to every sandbox SMS, in milliseconds. */
  readonly sandboxSmsLatencyMs: number;
  /** Where a booking's own notices go by SMS to customers who have opted out: the operator says that it is allowed there. */
  readonly optOutExemptCountries: readonly string[];
  /** How long notices and digests are kept. */
  readonly noticesKeptDays: number;
  /** How long conversations are kept; null: for good. */
  readonly messagesKeptDays: number | null;
}

function secretKey(env: Environment): Buffer | null {
  const text = env['PITLANE_SECRET_KEY'];
  if (text === undefined || text === '') return null;
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (key.length !== 32) {
    throw new ConfigError('PITLANE_SECRET_KEY must be 32 bytes, as 64 hex digits or 44 characters of base64');
  }
  return key;
}

function trustProxy(env: Environment): boolean | number | string {
  const text = env['TRUST_PROXY'] ?? '';
  if (text === '' || text === 'off' || text === 'false') return false;
  if (text === 'on' || text === 'true') return true;
  if (/^\d+$/.test(text)) return integer(env, 'TRUST_PROXY', 0, 0, 100);
  const named = ['loopback', 'linklocal', 'uniquelocal'];
  for (const part of text.split(',')) {
    const [address = '', bits] = part.trim().split('/');
    const family = isIP(address);
    const bitsFit = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
    if (!named.includes(part.trim()) && (family === 0 || !bitsFit)) {
      throw new ConfigError(
        `TRUST_PROXY=${text} is not on, off, a number of hops, or a list of addresses (10.0.0.0/8,loopback)`,
      );
    }
  }
  return text;
}

/** Not less than what events are kept for, from which much is still read. Null when it is not set. */
function keptDays(env: Environment, name: string): number | null {
  return env[name] ? integer(env, name, 0, 30, 36_500) : null;
}

/** What this process was started with. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Reads the configuration from environment variables; `.env.example` lists them all.
 * Throws ConfigError, which names the variable, on the first bad value.
 */
export function readConfig(env: Environment = processEnvironment()): Config {
  return {
    port: integer(env, 'PORT', 3000, 0, 65535),
    host: env['HOST'] || '127.0.0.1',
    dataDir: resolve(env['PITLANE_DATA_DIR'] || 'data'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer(env, 'PITLANE_DB_POOL', 20, 2, 500),
    demo: oneOf(env, 'PITLANE_DEMO', 'on', ['on', 'off']) === 'on',
    role: oneOf(env, 'PITLANE_ROLE', 'all', roles),
    secretKey: secretKey(env),
    trustProxy: trustProxy(env),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', logLevels),
    sandboxForced: oneOf(env, 'PITLANE_SANDBOX', 'auto', ['auto', 'on']) === 'on',
    sandboxSmsLatencyMs: integer(env, 'SANDBOX_SMS_LATENCY_MS', 0, 0, 60_000),
    ...readSmsConfig(env),
    ...readSmsLimits(env),
    ...readGatewayLimits(env),
    optOutExemptCountries: countries(env, 'PITLANE_OPT_OUT_EXEMPT_COUNTRIES'),
    noticesKeptDays: keptDays(env, 'PITLANE_NOTICES_KEPT_DAYS') ?? 90,
    messagesKeptDays: keptDays(env, 'PITLANE_MESSAGES_KEPT_DAYS'),
    ...readEmailConfig(env),
  };
}
