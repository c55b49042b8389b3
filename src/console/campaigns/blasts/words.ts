/** Where a blast stands, in words. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { BlastStatus } from '#product/campaigns/blasts/schema.ts';
import type { BlastRow } from '#product/campaigns/blasts/store.ts';
import { customers } from '../parts.ts';

const marks: Readonly<Record<BlastStatus, readonly [kind: string, words: string]>> = {
  draft: ['', '○ Draft'],
  scheduled: ['', '◷ Scheduled'],
  sending: ['strong', '→ Being sent'],
  paused: ['ask', '‖ Paused'],
  completed: ['good', '✓ Sent'],
  cancelled: ['bad', '✕ Stopped'],
};

export function blastMark({ status }: Pick<BlastRow, 'status'>): SafeHtml {
  const [kind, words] = marks[status];
  return html`<span class="mark ${kind}">${words}</span>`;
}

/** Why a change was not made, by the status that the blast has. */
export const notChanged: Readonly<Record<BlastStatus, string>> = {
  draft: 'It is a draft: nothing was being sent.',
  scheduled: 'It is scheduled already.',
  sending: 'It is being sent already.',
  paused: 'It is paused already.',
  completed: 'It has ended: everybody had their turn.',
  cancelled: 'It was stopped already.',
};

/** `1,204 customers: 412 sent, 780 waiting, 12 left out`; before it begins nobody is counted. */
export function progressOf({ startedAt, counts }: Pick<BlastRow, 'startedAt' | 'counts'>): string {
  if (startedAt === null) return 'Nobody has had it.';
  const { recipients, sent, waiting, failed, unknown, skipped } = counts;
  const some = (count: number, words: string) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${words}`];
  const parts = [
    ...[...some(sent, 'sent'), ...some(waiting, 'waiting'), ...some(failed, 'failed')],
    ...[...some(unknown, 'not known'), ...some(skipped, 'left out')],
  ];
  return parts.length === 0 ? customers(recipients) : `${customers(recipients)}: ${parts.join(', ')}`;
}
