/** `pitlane lead …`: calls to workshops that partners registered. */
import type { Command } from 'commander';
import { registerList, registerShow } from './record.ts';
import { group } from './verb.ts';

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
}
