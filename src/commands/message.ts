/** `pitlane message …`: SMS and e-mails, and their outcomes. */

import type { Command } from 'commander';
import { foundById } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { ownValue } from '#base/values/own-value.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import type { ListedMessage, ShownAttempt } from '#operation/status/messages/store.ts';
import { registerSend } from './message-send.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { terminal } from './terminal.ts';
import { at, localTimes } from './times.ts';
import { oneOf, someOf, UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';
import { withWorkshopFilter, workshopFilter } from './workshop-option.ts';

interface Filters {
  readonly state?: string;
  readonly since?: string;
  readonly workshop?: string;
  readonly customer?: string;
  readonly channel?: string;
}

export function registerMessage(program: Command): void {
  const examples = [
    'message send --booking 7K3M9QXW --text "We found your keys."',
    'message list',
    'message list --state undelivered,expired --since 7d',
    'message show 0198c6a7-…',
  ];
  const message = group(program, 'message', 'SMS and e-mails, and their outcomes', examples);
  const listed = list<ListedMessage, Filters>(message, {
    usage: 'list',
    summary:
      'list messages that did not arrive, or of which that is not known, the newest first; others with --state',
    examples: [...examples.slice(1, 3), 'message list --workshop carlton-motors --state all --channel sms'],
    what: 'message',
    cursor: 'before',
    columns,
    cursorOf: ({ messageId }) => messageId,
    open: async (session, _, { state, since: sinceText = '24h', workshop, customer, channel }) => {
      const store = await import('#operation/status/messages/store.ts');
      const { db, clock } = session;
      if (customer !== undefined && !isId(customer)) throw new UsageError('--customer is not an id');
      const of = await workshopFilter(session, workshop);
      const filters = {
        states: statesOf(state, store),
        since: sinceOf(sinceText, clock.machineNow(), terminal().zone ?? of?.timezone ?? 'UTC'),
        workshopId: of?.workshopId ?? null,
        customerId: customer ?? null,
        channel: channel === undefined ? null : oneOf('--channel', channel, ['sms', 'email']),
      };
      return ({ cursor: before, limit }) => store.listMessages(db, { ...filters, before, limit });
    },
  });
  withWorkshopFilter(listed)
    .option(
      '--state <states>',
      'all, or some with commas; undelivered, expired, failed and unknown unless given',
    )
    .option(
      '--since <time>',
      'made since then: 90m, 24h, 7d ago at most 90d, or a date and time; 24h unless given',
    )
    .option('--customer <id>', 'to or from one customer only')
    .option('--channel <channel>', 'sms or email; both unless given');

  const show = {
    usage: 'show <message>',
    summary: 'show a message with its text, and every attempt to send it',
    examples: ['message show 0198c6a7-…'],
    times: true,
  };
  verb(message, show, ([messageId = '']) =>
    withSession(async ({ db }) => {
      const { findMessage } = await import('#operation/status/messages/store.ts');
      const found = await foundById('message', messageId, () => findMessage(db, messageId));
      const { tries, ...rest } = found;
      const attempts = tries.length === 0 ? '' : `\n\n${table(tries, attemptColumns(found.timezone))}`;
      return { json: found, text: details({ ...rest, ...localTimes(rest, rest.timezone) }) + attempts };
    }),
  );
  registerSend(message);
}

function statesOf(
  text: string | undefined,
  { messageStates, troubledStates }: typeof import('#operation/status/messages/store.ts'),
) {
  if (text === undefined) return troubledStates;
  return text === 'all' ? messageStates : someOf('--state', text, messageStates);
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const atMostMs = 90 * 86_400_000;

/** Throws UsageError. */
function sinceOf(text: string, now: Date, timezone: string): Date {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ago = now.getTime() - Number(count) * (ownValue(unitsMs, unit) ?? Number.NaN);
  const ms = parseTypedTime(text, timezone, now)?.getTime() ?? ago;
  if (Number.isNaN(ms) || now.getTime() - ms > atMostMs || ms > now.getTime())
    throw new UsageError('--since must be such as 24h or 7d, or a date and time, within the last 90 days');
  return new Date(ms);
}

const columns = {
  MESSAGE: (row: ListedMessage) => row.messageId,
  AT: (row: ListedMessage) => at(row.createdAt, row.timezone),
  WORKSHOP: (row: ListedMessage) => row.workshop,
  KIND: (row: ListedMessage) => row.kind,
  CHANNEL: (row: ListedMessage) => row.channel,
  TO: (row: ListedMessage) => row.recipient,
  STATE: (row: ListedMessage) => row.state,
  WHY: (row: ListedMessage) => [row.reason, row.detail].filter(Boolean).join(': '),
};

const attemptColumns = (timezone: string) => ({
  ATTEMPT: (row: ShownAttempt) => row.number,
  GATEWAY: (row: ShownAttempt) => row.gateway,
  STATE: (row: ShownAttempt) => row.state,
  STARTED: (row: ShownAttempt) => at(row.startedAt, timezone),
  ENDED: (row: ShownAttempt) => at(row.finishedAt, timezone),
  WHY: (row: ShownAttempt) => [row.reason, row.detail].filter(Boolean).join(': '),
});
