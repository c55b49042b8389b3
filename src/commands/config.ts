/** The settings that a command works with. */
import { unknownSettings } from '#config/unknown-settings.ts';
import { type Config, readConfig } from '#config.ts';
import { note } from './output.ts';
import { terminal } from './terminal.ts';

/** Warns of unknown names. Throws ConfigError that names every fault. */
export function commandConfig(): Config {
  const { env } = terminal();
  for (const warning of unknownSettings(env)) note(`pitlane: warning: ${warning}`);
  return readConfig(env);
}
