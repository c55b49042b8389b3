/** Where an automation and its runs stand, in words. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { RunRow } from '#product/campaigns/automations/runs/store.ts';
import type { RunStatus } from '#product/campaigns/automations/schema.ts';
import type { AutomationRow } from '#product/campaigns/automations/store.ts';
import { reasonInWords } from '../../frame/reasons.ts';
import type { Filters } from '../../lists/filters.ts';

export const automationMark = ({ status }: Pick<AutomationRow, 'status'>): SafeHtml =>
  status === 'active'
    ? html`<span class="mark good">✓ Active</span>`
    : html`<span class="mark ask">‖ Paused</span>`;

export type RunFilter = 'all' | RunStatus;
export const runFilters: Filters<RunFilter> = {
  ...{ all: 'All', scheduled: 'To be sent', sent: 'Sent', failed: 'Failed', skipped: 'Left out' },
};

const marks: Readonly<Record<RunStatus, readonly [kind: string, words: string]>> = {
  scheduled: ['', '◷ To be sent'],
  sent: ['good', '✓ Sent'],
  failed: ['bad', '! Failed'],
  skipped: ['', '– Left out'],
};

/** With the reason of one that was not sent. */
export function runMark({ status, reason }: Pick<RunRow, 'status' | 'reason'>): SafeHtml {
  const [kind, words] = marks[status];
  const why = reason !== null && status !== 'sent' ? `: ${reasonInWords(reason)}` : '';
  return html`<span class="mark ${kind}">${words}${why}</span>`;
}
