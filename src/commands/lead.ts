/** `pitlane lead …`: calls to workshops that partners registered. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { callRecord } from '#product/leads/record.ts';
import { registerList, registerShow } from './record.ts';
import { withSession } from './session.ts';
import { group, verb } from './verb.ts';

export async function registerLead(program: Command, isMeant: (group: string) => boolean): Promise<void> {
  const lead = group(program, 'lead', 'calls to workshops that partners registered', [
    'lead list --workshop carlton-motors --outcome missed',
    'lead show 0198c6ab-…',
  ]);
  if (!isMeant('lead')) return;
  const { callRecord } = await import('#product/leads/record.ts');
  registerList(lead, callRecord, {
    summary: 'list the calls to a workshop, the newest call first',
    examples: [
      'lead list --workshop carlton-motors',
      'lead list --workshop carlton-motors --outcome missed --from 2030-03-03 --to 2030-03-04',
    ],
  });
  registerShow(lead, callRecord, {
    summary: 'show a call, with the customer and booking that it belongs to',
    examples: ['lead show 0198c6ab-…'],
  });
  registerCalled(lead, callRecord);
}

interface CalledFlags {
  readonly note?: string;
  readonly undo?: true;
}

function registerCalled(lead: Command, record: typeof callRecord): void {
  const called = {
    usage: 'called <lead>',
    summary: 'say that somebody called back, or take it back; the call stays as it is',
    examples: ['lead called 0198c6ab-…', 'lead called 0198c6ab-… --note "Comes on Monday"'],
  };
  verb<CalledFlags>(lead, called, ([id = ''], { note, undo }) =>
    withSession(async ({ db, clock }) => {
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { markCall } = await import('#product/leads/call-back/mark.ts');
      const { id: callId, workshopId } = await requireRecord(db, record, id);
      const state = undo ? 'waiting' : 'called';
      const change = { workshopId, callId, state, actor: actors.operator } as const;
      const { before } = await markCall({ db, clock }, { ...change, ...(note !== undefined && { note }) });
      const text = undo
        ? `lead ${callId}: waits to be called back (before: ${before})`
        : `lead ${callId}: called back (before: ${before})`;
      return { json: { callId, state, before }, text };
    }),
  )
    .option('--note <text>', 'the outcome, at most 255 characters')
    .option('--undo', 'the caller waits again');
}
