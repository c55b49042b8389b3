/** `pitlane reminder …`: the service reminders of workshops. */
import type { Command } from 'commander';
import { registerList, registerShow } from './record.ts';
import { group } from './verb.ts';

const examples = [
  'reminder list --workshop carlton-motors',
  'reminder list --workshop carlton-motors --status failed --json',
];

export async function registerReminder(program: Command, isMeant: (group: string) => boolean): Promise<void> {
  const reminder = group(program, 'reminder', 'service reminders of workshops', [
    'reminder list --workshop carlton-motors --status scheduled',
    'reminder show 7K3M9QXW',
  ]);
  if (!isMeant('reminder')) return;
  const { reminderRecord } = await import('#product/reminders/record.ts');
  registerList(reminder, reminderRecord, {
    summary: 'list the service reminders of a workshop, the newest first',
    examples,
  });
  registerShow(reminder, reminderRecord, {
    summary: 'show a service reminder, by its id or code',
    examples: ['reminder show 7K3M9QXW', 'reminder show 0198c6ac-… --json'],
  });
}
