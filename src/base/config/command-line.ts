/** Settings of commands alone. */
import { text } from './kinds.ts';
import { setting, type Values } from './setting.ts';

export const commandSettings = {
  /** Null: the installation's only workshop. */
  workshop: setting('PITLANE_WORKSHOP', text('an id or a slug'), {
    unset: 'the only workshop, where there is one',
    help: 'The workshop that commands are about when they name none with `--workshop`. `--workshop ""` lists those of all.',
    example: 'carlton-motors',
  }),
};

export type CommandConfig = Values<typeof commandSettings>;
