/** Settings of the console, the office in the browser. */
import { either } from './kinds.ts';
import { setting, type Values } from './setting.ts';

export const consoleSettings = {
  /** Sessions may live on connections that are not encrypted. */
  consoleHttp: setting('PITLANE_CONSOLE_HTTP', either('on', 'off'), {
    default: 'off',
    help: '`on` lets people sign in to the console over plain http from other machines; whoever reads the network then reads their sessions. Without it plain http serves this machine alone.',
  }),
};

export type ConsoleConfig = Values<typeof consoleSettings>;
