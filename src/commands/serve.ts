/** `pitlane serve`: the server. */
import type { Command } from 'commander';
import { ConfigError } from '#base/config/setting.ts';
import { type Config, readConfig } from '#base/config.ts';
import { checkedConfig } from './config.ts';
import { note } from './output.ts';
import { terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly role?: string;
}

export function registerServe(program: Command): void {
  const serve = {
    usage: 'serve',
    summary: 'serve the API and do its background work, until Ctrl-C',
    examples: ['serve', 'serve --port 8080', 'serve --role worker', 'serve --json'],
  };
  verb<ServeOptions>(program, serve, async (_, options) => {
    const { config: given, faults, nameWarnings, warnings } = checkedConfig();
    if (given === null) {
      for (const warning of nameWarnings) note(`pitlane: warning: ${warning}`);
      throw new ConfigError(...faults);
    }
    const config = withOptions(given, options);
    const { serve: run } = await import('../server.ts');
    const { json, envFile } = terminal();
    await run(config, { json, warnings, settingsFile: envFile.path });
    return null;
  })
    .option('--port <number>', 'instead of PORT')
    .option('--host <address>', 'instead of HOST')
    .option('--role <all|api|worker>', 'instead of PITLANE_ROLE');
}

/** The options in place of the settings, checked by the same rules. */
function withOptions(config: Config, options: ServeOptions): Config {
  const { port, host, role } = options;
  if (port === '' || host === '' || role === '')
    throw new UsageError('--port, --host and --role take a value');
  return {
    ...config,
    ...(port !== undefined && { port: read('PORT', '--port', port).port }),
    ...(host !== undefined && { host: read('HOST', '--host', host).host }),
    ...(role !== undefined && { role: read('PITLANE_ROLE', '--role', role).role }),
  };
}

function read(variable: string, option: string, value: string): Config {
  try {
    return readConfig({ [variable]: value });
  } catch (error) {
    if (error instanceof ConfigError)
      throw new UsageError(error.message.replace(`${variable}=`, `${option} `));
    throw error;
  }
}
