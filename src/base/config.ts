/** The environment, read once. The only file that looks at `process.env`. */
import { type CommandConfig, commandSettings } from './config/command-line.ts';
import { type ConsoleConfig, consoleSettings } from './config/console.ts';
import { type EmailConfig, readEmailConfig } from './config/email.ts';
import { type EnvFile, mergeEnvironment, readEnvFile } from './config/env-file.ts';
import { type GatewayLimitsConfig, readGatewayLimits } from './config/gateway-limits.ts';
import {
  type ProcessConfig,
  processSettings,
  type SandboxConfig,
  sandboxSettings,
} from './config/process.ts';
import { type RetentionConfig, retentionSettings } from './config/retention.ts';
import { type Environment, namesReadOf, read, together } from './config/setting.ts';
import { allSettings } from './config/settings.ts';
import { readSmsConfig, type SmsConfig } from './config/sms-gateways.ts';
import { readSmsLimits, type SmsRules } from './config/sms-limits.ts';
import { readSmsSenders, type SmsSenderRules } from './config/sms-senders.ts';
import { type WebhookConfig, webhookSettings } from './config/webhooks.ts';

export interface Config
  extends ProcessConfig,
    SandboxConfig,
    ConsoleConfig,
    SmsConfig,
    SmsRules,
    SmsSenderRules,
    GatewayLimitsConfig,
    RetentionConfig,
    EmailConfig,
    WebhookConfig,
    CommandConfig {}

/**
 * The settings that this process was started with: the environment, and the settings of `.env` in the current folder, or of the file that
 * PITLANE_ENV_FILE names. What the environment itself has wins, unless it is empty.
 */
export function processEnvironment(given: Environment = process.env): {
  readonly env: Environment;
  readonly envFile: EnvFile;
} {
  const envFile = readEnvFile(given[processSettings.envFile.name]);
  return mergeEnvironment(envFile, given, allSettings.flatMap(namesReadOf));
}

/** Reads the configuration; src/base/config/settings.ts lists its settings. Throws ConfigError with every fault. */
export function readConfig(env: Environment): Config {
  const parts = together({
    process: () => read(env, processSettings),
    sandbox: () => read(env, sandboxSettings),
    console: () => read(env, consoleSettings),
    sms: () => readSmsConfig(env),
    limits: () => readSmsLimits(env),
    senders: () => readSmsSenders(env),
    gateways: () => readGatewayLimits(env),
    retention: () => read(env, retentionSettings),
    email: () => readEmailConfig(env),
    webhooks: () => read(env, webhookSettings),
    commands: () => read(env, commandSettings),
  });
  return {
    ...parts.process,
    ...parts.sandbox,
    ...parts.console,
    ...parts.sms,
    ...parts.limits,
    ...parts.senders,
    ...parts.gateways,
    ...parts.retention,
    ...parts.email,
    ...parts.webhooks,
    ...parts.commands,
  };
}
