/** `pitlane reminder …`: the service reminders of workshops. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { registerList, registerShow } from './record.ts';
import { withSession } from './session.ts';
import { group, verb } from './verb.ts';

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
  const { requireRecord } = await import('#platform/records/staff/find.ts');
  const { reminderRecord } = await import('#product/reminders/record.ts');
  registerList(reminder, reminderRecord, {
    summary: 'list the service reminders of a workshop, the newest first',
    examples,
  });
  registerShow(reminder, reminderRecord, {
    summary: 'show a service reminder, by its id or code',
    examples: ['reminder show 7K3M9QXW', 'reminder show 0198c6ac-… --json'],
  });
  const send = {
    usage: 'send <reminder>',
    summary: 'send a scheduled reminder now, before it is due',
    examples: ['reminder send 7K3M9QXW'],
  };
  verb(reminder, send, ([idOrCode = '']) =>
    withSession(async ({ db, clock, config }) => {
      const { sendReminderNow } = await import('#product/reminders/schedule/send-now.ts');
      const { id: reminderId, workshopId, code } = await requireRecord(db, reminderRecord, idOrCode);
      const of = { workshopId, reminderId, actor: actors.operator };
      const { messageId } = await sendReminderNow({ db, clock, config }, of);
      return { json: { reminderId, messageId }, text: `reminder ${code} is on its way` };
    }),
  );
  const stop = {
    usage: 'stop <reminder>',
    summary: 'cancel a scheduled reminder: it is not sent, and its partner hears of it',
    examples: ['reminder stop 7K3M9QXW'],
  };
  verb(reminder, stop, ([idOrCode = '']) =>
    withSession(async ({ db, clock }) => {
      const { stopReminder } = await import('#product/reminders/cancel.ts');
      const { id: reminderId, workshopId, code } = await requireRecord(db, reminderRecord, idOrCode);
      const of = { workshopId, reminderId, actor: actors.operator };
      const { status } = await stopReminder({ db, clock }, of);
      return { json: { reminderId, status }, text: `reminder ${code} is stopped` };
    }),
  );
}
