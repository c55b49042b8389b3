/** `pitlane automation …`: texts that are sent by themselves, for the workshop's staff. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { AutomationInput } from '#product/campaigns/automations/create.ts';
import type { RunRow } from '#product/campaigns/automations/runs/store.ts';
import type { AutomationRow } from '#product/campaigns/automations/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { oneOf } from './usage-error.ts';
import { collect, group, verb } from './verb.ts';
import { type Typed, withWorkshop, workshopOf } from './workshop-option.ts';

export function registerAutomation(program: Command): void {
  const automation = group(program, 'automation', 'texts that are sent when something happens', [
    'automation list --workshop carlton-motors',
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
        const { setAutomationStatus } = await import('#product/campaigns/automations/change.ts');
        const row = await setAutomationStatus({ db, clock }, id, status, actors.operator);
        return { json: named(row), text: `automation ${row.id} is ${row.status}` };
      }),
    );
  }

  const listed = list<AutomationRow, { workshop?: string }>(automation, {
    usage: 'list',
    summary: 'list the automations of a workshop, the oldest first',
    examples: ['automation list --workshop carlton-motors'],
    what: 'automation',
    cursor: 'after',
    columns,
    cursorOf: ({ id }) => id,
    json: named,
    async open(session, _, { workshop }) {
      const { listAutomations } = await import('#product/campaigns/automations/store.ts');
      const { workshopId } = await workshopOf(session, workshop);
      return ({ cursor, limit }) => listAutomations(session.db, workshopId, cursor, limit);
    },
  });
  withWorkshop(listed);

  registerRuns(automation);
}

function registerCreate(automation: Command): void {
  const create = {
    usage: 'create',
    summary: 'create an automation; it applies to what happens from then on',
    examples: [
      'automation create --workshop carlton-motors --name "Thank you" --trigger bookingCompleted --offset-minutes 120 --template 0198c6a4-…',
      'automation create --workshop carlton-motors --name "Tomorrow" --trigger beforeBooking --offset-minutes 1440 --template 0198c6a4-…',
    ],
  };
  const created = verb<Typed<AutomationInput>>(automation, create, (_, input) =>
    withSession(async (session) => {
      const { createAutomation } = await import('#product/campaigns/automations/create.ts');
      const { workshopId } = await workshopOf(session, input.workshop);
      const made = await createAutomation(session, { ...input, workshop: workshopId }, actors.operator);
      return { json: named(made), text: details({ ...named(made) }) };
    }),
  );
  withWorkshop(created)
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
  list<ZonedRun, { status?: string }>(automation, {
    usage: 'runs <automation>',
    summary: 'list its runs, the newest first, with the reasons of those that were not sent',
    examples: ['automation runs 0198c6a8-…', 'automation runs 0198c6a8-… --status skipped'],
    what: 'run',
    cursor: 'before',
    columns: runColumns,
    cursorOf: ({ id }) => id,
    json: ({ id: runId, ...row }) => ({ runId, ...row }),
    async open({ db }, [id = ''], { status }) {
      const { requireAutomation } = await import('#product/campaigns/automations/store.ts');
      const { listRuns } = await import('#product/campaigns/automations/runs/store.ts');
      const { runStatuses } = await import('#product/campaigns/automations/schema.ts');
      const { requireWorkshop } = await import('#product/workshops/store.ts');
      const wanted = status === undefined ? null : oneOf('--status', status, runStatuses);
      const { id: automationId, workshopId } = await requireAutomation(db, id);
      const { timezone } = await requireWorkshop(db, workshopId);
      return async ({ cursor: before, limit }) => {
        const rows = await listRuns(db, automationId, { status: wanted, before, limit });
        return rows.map((row) => ({ ...row, timezone }));
      };
    },
  }).option('--status <status>', 'scheduled, sent, failed or skipped; all unless given');
}

interface ZonedRun extends RunRow {
  readonly timezone: string;
}

/** The id's name in the options of other commands. */
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
  RUN: (row: ZonedRun) => row.id,
  STATUS: (row: ZonedRun) => row.status,
  REASON: (row: ZonedRun) => row.reason,
  DUE: (row: ZonedRun) => at(row.dueAt, row.timezone),
  SENT: (row: ZonedRun) => at(row.sentAt, row.timezone),
  CUSTOMER: (row: ZonedRun) => row.customerId,
  BOOKING: (row: ZonedRun) => row.bookingId,
};
