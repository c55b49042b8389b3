/** `pitlane message …`: SMS and e-mails that did not arrive. */
import type { Command } from 'commander';
import type { TroubledMessage, TroubledState } from '#status/messages/store.ts';
import { note, table } from './output.ts';
import { type Page, readPage, withPaging } from './paging.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

interface ListOptions extends Page {
  readonly state?: string;
  readonly since?: string;
}

export function registerMessage(program: Command): void {
  const examples = ['message list', 'message list --state undelivered,expired --since 7d'];
  const message = group(program, 'message', 'SMS and e-mails that did not arrive', examples);
  const list = {
    usage: 'list',
    summary: 'list messages that did not arrive, or of which that is not known, newest first',
    examples,
  };
  const command = verb<ListOptions>(message, list, async (_, options) => {
    const { limit, before } = readPage(options);
    const { troubledStates, listTroubledMessages } = await import('#status/messages/store.ts');
    const states = statesOf(options.state, troubledStates);
    return withSession(async ({ db, clock }) => {
      const since = sinceOf(options.since ?? '24h', clock.machineNow());
      const rows = await listTroubledMessages(db, { states, since, before, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      if (rows.length > limit && last) note(`There are more: --before ${last.messageId}`);
      return { json: shown, text: table(shown, columns) };
    });
  });
  withPaging(command, 'message')
    .option('--state <states>', 'of undelivered, expired, failed and unknown, with commas; all unless given')
    .option(
      '--since <time>',
      'made since then: 90m, 24h, 7d ago at most 90d, or a date and time; 24h unless given',
    );
}

function statesOf(text: string | undefined, known: readonly TroubledState[]): readonly TroubledState[] {
  if (text === undefined) return known;
  const names = text.split(',').map((name) => name.trim());
  const states = known.filter((state) => names.includes(state));
  if (states.length < new Set(names).size)
    throw new UsageError(`--state must be some of ${known.join(', ')}, with commas`);
  return states;
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const atMostMs = 90 * 86_400_000;

/** Throws UsageError. */
function sinceOf(text: string, now: Date): Date {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const isInstant = /^\d{4}-\d\d-\d\d/.test(text);
  const ms = isInstant ? Date.parse(text) : now.getTime() - Number(count) * (unitsMs[unit] ?? Number.NaN);
  if (Number.isNaN(ms) || now.getTime() - ms > atMostMs || ms > now.getTime())
    throw new UsageError('--since must be such as 24h or 7d, or a date and time, within the last 90 days');
  return new Date(ms);
}

const columns = {
  MESSAGE: (row: TroubledMessage) => row.messageId,
  AT: (row: TroubledMessage) => row.createdAt,
  WORKSHOP: (row: TroubledMessage) => row.workshop,
  KIND: (row: TroubledMessage) => row.kind,
  CHANNEL: (row: TroubledMessage) => row.channel,
  TO: (row: TroubledMessage) => row.recipient,
  STATE: (row: TroubledMessage) => row.state,
  WHY: (row: TroubledMessage) => [row.reason, row.detail].filter(Boolean).join(': '),
};
