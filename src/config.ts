/** The environment, read once. The only file that looks at `process.env`. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type EmailConfig, readEmailConfig } from './config/email.ts';
import { type GatewayLimitsConfig, readGatewayLimits } from './config/gateway-limits.ts';
import {
  type ProcessConfig,
  processSettings,
  type SandboxConfig,
  sandboxSettings,
} from './config/process.ts';
import { type RetentionConfig, retentionSettings } from './config/retention.ts';
import { ConfigError, type Environment, read, together } from './config/setting.ts';
import { readSmsConfig, type SmsConfig } from './config/sms-gateways.ts';
import { readSmsLimits, type SmsRules } from './config/sms-limits.ts';
import { type WebhookConfig, webhookSettings } from './config/webhooks.ts';

export interface Config
  extends ProcessConfig,
    SandboxConfig,
    SmsConfig,
    SmsRules,
    GatewayLimitsConfig,
    RetentionConfig,
    EmailConfig,
    WebhookConfig {}

/** The file of settings where none is named: it may be absent. */
const usualFile = '.env';

/**
 * What this process was started with: the environment, and the settings of `.env` in the current folder, or of the file that
 * PITLANE_ENV_FILE names. Throws ConfigError when that file can't be read, or is not in UTF-8.
 */
export function processEnvironment(): Environment {
  const named = process.env[processSettings.envFile.name];
  let content: Buffer = Buffer.of();
  try {
    content = readFileSync(named || usualFile);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const mayBeAbsent = !named && code === 'ENOENT';
    if (!mayBeAbsent) throw new ConfigError(`${named || usualFile} can't be read (${code})`);
  }
  // Some shells write UTF-16 (`echo … > .env`): every setting in it would be overlooked.
  if (!isUtf8(content) || content.includes(0)) throw new ConfigError(`${named || usualFile} is not in UTF-8`);
  return { ...parseEnv(content.toString()), ...process.env };
}

/** Reads the configuration; src/config/settings.ts lists its settings. Throws ConfigError with all that is wrong. */
export function readConfig(env: Environment = processEnvironment()): Config {
  const parts = together({
    process: () => read(env, processSettings),
    sandbox: () => read(env, sandboxSettings),
    sms: () => readSmsConfig(env),
    limits: () => readSmsLimits(env),
    gateways: () => readGatewayLimits(env),
    retention: () => read(env, retentionSettings),
    email: () => readEmailConfig(env),
    webhooks: () => read(env, webhookSettings),
  });
  return {
    ...parts.process,
    ...parts.sandbox,
    ...parts.sms,
    ...parts.limits,
    ...parts.gateways,
    ...parts.retention,
    ...parts.email,
    ...parts.webhooks,
  };
}
