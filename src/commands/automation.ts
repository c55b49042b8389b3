/** `pitlane automation …`: texts that are sent by themselves, for the workshop's staff. */
import type { Command } from 'commander';
import type { AutomationInput } from '#campaigns/automations/create.ts';
import type { RunRow } from '#campaigns/automations/runs/store.ts';
import type { AutomationRow } from '#campaigns/automations/store.ts';
import { details, note, table } from './output.ts';
import { readPage, withPaging } from './paging.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { collect, group, verb } from './verb.ts';

const pageSize = 200;

export function registerAutomation(program: Command): void {
  const automation = group(program, 'automation', 'texts that are sent when something happens', [
    'automation list --workshop 0198c6a3-…',
    'automation runs 0198c6a8-…',
  ]);
  registerCreate(automation);

  for (const [name, status, summary] of [
    ['pause', 'paused', 'send nothing; what comes due meanwhile is skipped'],
    ['resume', 'active', 'send again what comes due from now on'],
  ] as const) {
    const spec = { usage: `${name} <automation>`, summary, examples: [`automation ${name} 0198c6a8-…`] };
    verb(automation, spec, ([id = '']) =>
      withSession(async ({ db, clock }) => {
        const { setAutomationStatus } = await import('#campaigns/automations/change.ts');
        const row = await setAutomationStatus(db, clock, id, status);
        return { json: named(row), text: `automation ${row.id} is ${row.status}` };
      }),
    );
  }

  const list = {
    usage: 'list',
    summary: 'list the automations of a workshop',
    examples: ['automation list --workshop 0198c6a3-…'],
  };
  verb<{ workshop: string; after?: string }>(automation, list, (_, { workshop, after = null }) =>
    withSession(async ({ db }) => {
      const { requireWorkshop } = await import('#workshops/require.ts');
      const { listAutomations } = await import('#campaigns/automations/store.ts');
      const { isId } = await import('#values/id.ts');
      if (after !== null && !isId(after)) throw new UsageError('--after is not an id');
      const { workshopId } = await requireWorkshop(db, workshop);
      const found = await listAutomations(db, workshopId, after, pageSize + 1);
      const rows = found.slice(0, pageSize);
      if (found.length > pageSize) note(`There are more: --after ${rows.at(-1)?.id}`);
      return { json: rows.map(named), text: table(rows, columns) };
    }),
  )
    .requiredOption('--workshop <id>', 'the workshop (required)')
    .option('--after <id>', 'those after this automation: the next page');

  registerRuns(automation);
}

function registerCreate(automation: Command): void {
  const create = {
    usage: 'create',
    summary: 'create an automation; it applies to what happens from then on',
    examples: [
      'automation create --workshop 0198c6a3-… --name "Thank you" --trigger bookingCompleted --offset-minutes 120 --template 0198c6a4-…',
      'automation create --workshop 0198c6a3-… --name "Tomorrow" --trigger beforeBooking --offset-minutes 1440 --template 0198c6a4-…',
    ],
  };
  verb<AutomationInput>(automation, create, (_, input) =>
    withSession(async ({ db, clock }) => {
      const { createAutomation } = await import('#campaigns/automations/create.ts');
      const made = await createAutomation(db, clock, input);
      return { json: named(made), text: details({ ...named(made) }) };
    }),
  )
    .requiredOption('--workshop <id>', 'the workshop (required)')
    .requiredOption('--name <name>', 'what people call it (required)')
    .requiredOption(
      '--trigger <type>',
      'manual, bookingCreated, bookingConfirmed, bookingCompleted, bookingCancelled, beforeBooking, callMissed or reminderSent (required)',
    )
    .requiredOption('--template <id>', 'a published inbox template (required)')
    .option('--offset-minutes <number>', 'minutes after it, or before the booking; 0 unless given')
    .option(
      '--quiet-hours <times>',
      'local times between which nothing is sent, such as 21:00-07:30, or off; 20:00-08:00 unless given',
    )
    .option('--service-category <category>', 'only for these; may be given more than once', collect)
    .option(
      '--min-days-since-last-booking <days>',
      "only when the customer's last other booking is so long ago",
    );
}

function registerRuns(automation: Command): void {
  const runs = {
    usage: 'runs <automation>',
    summary: 'list its runs, the newest first, with the reasons of those that were not sent',
    examples: ['automation runs 0198c6a8-…', 'automation runs 0198c6a8-… --status skipped'],
  };
  const command = verb<{ status?: string; limit?: string; before?: string }>(
    automation,
    runs,
    ([id = ''], { status, ...paging }) => {
      const { limit, before } = readPage(paging);
      return withSession(async ({ db }) => {
        const { requireAutomation } = await import('#campaigns/automations/change.ts');
        const { listRuns } = await import('#campaigns/automations/runs/store.ts');
        const { runStatuses } = await import('#campaigns/automations/schema.ts');
        const wanted = runStatuses.find((known) => known === status) ?? null;
        if (status !== undefined && wanted === null)
          throw new UsageError(`--status must be one of ${runStatuses.join(', ')}`);
        const { id: automationId } = await requireAutomation(db, id);
        const found = await listRuns(db, automationId, { status: wanted, before, limit: limit + 1 });
        const rows = found.slice(0, limit);
        if (found.length > limit) note(`There are more: --before ${rows.at(-1)?.id}`);
        return {
          json: rows.map(({ id: runId, ...row }) => ({ runId, ...row })),
          text: table(rows, runColumns),
        };
      });
    },
  );
  withPaging(command, 'run').option(
    '--status <status>',
    'scheduled, sent, failed or skipped; all unless given',
  );
}

/** The name that other commands give the id. */
function named({ id, ...rest }: AutomationRow) {
  return { automationId: id, ...rest };
}

const columns = {
  AUTOMATION: (row: AutomationRow) => row.id,
  NAME: (row: AutomationRow) => row.name,
  TRIGGER: (row: AutomationRow) => row.type,
  MINUTES: (row: AutomationRow) => row.offsetMinutes,
  QUIET: ({ quietHours }: AutomationRow) => quietHours && `${quietHours.from}-${quietHours.to}`,
  STATUS: (row: AutomationRow) => row.status,
};
const runColumns = {
  RUN: (row: RunRow) => row.id,
  STATUS: (row: RunRow) => row.status,
  REASON: (row: RunRow) => row.reason,
  DUE: (row: RunRow) => row.dueAt,
  SENT: (row: RunRow) => row.sentAt,
  CUSTOMER: (row: RunRow) => row.customerId,
  BOOKING: (row: RunRow) => row.bookingId,
};
