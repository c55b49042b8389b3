/** The settings of a command. */

import { ConfigError } from '#base/config/setting.ts';
import { nameWarnings, settingWarnings } from '#base/config/warnings.ts';
import { type Config, readConfig } from '#base/config.ts';
import { note } from './output.ts';
import { terminal } from './terminal.ts';

/** Warns of unknown names and lines. Throws ConfigError that names every fault. */
export function commandConfig(): Config {
  const { config, faults, nameWarnings: warnings } = checkedConfig();
  for (const warning of warnings) note(`pitlane: warning: ${warning}`);
  if (config === null) throw new ConfigError(...faults);
  return config;
}

export interface Checked {
  /** Null when there are faults. */
  readonly config: Config | null;
  readonly faults: readonly string[];
  /** Warnings of unknown names, and of lines that set nothing. */
  readonly nameWarnings: readonly string[];
  /** All of them. */
  readonly warnings: readonly string[];
}

/** The settings with their faults and warnings. Never throws. */
export function checkedConfig(): Checked {
  const { env, envFile } = terminal();
  const ofNames = nameWarnings(env, envFile);
  const unreadable = envFile.fault === null ? [] : [envFile.fault];
  try {
    const config = readConfig(env);
    const warnings = [...ofNames, ...settingWarnings(env, envFile, config)];
    return {
      config: unreadable.length > 0 ? null : config,
      faults: unreadable,
      nameWarnings: ofNames,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      config: null,
      faults: [...unreadable, ...error.faults],
      nameWarnings: ofNames,
      warnings: ofNames,
    };
  }
}
