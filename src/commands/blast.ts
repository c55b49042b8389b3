/** `pitlane blast …`: one text to many customers, for the workshop's staff. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { BlastChange } from '#product/campaigns/blasts/change.ts';
import type { BlastInput } from '#product/campaigns/blasts/create.ts';
import type { BlastRow } from '#product/campaigns/blasts/store.ts';
import { type CommandResult, details, note } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at, localTimes } from './times.ts';
import { group, verb } from './verb.ts';
import { type Typed, withWorkshop, workshopOf } from './workshop-option.ts';

export function registerBlast(program: Command): void {
  const blast = group(program, 'blast', 'one text to many customers of a workshop', [
    'blast preview 0198c6a7-…',
    'blast trigger 0198c6a7-…',
    'blast show 0198c6a7-…',
  ]);
  registerCreate(blast);
  registerPreview(blast);
  registerTrigger(blast);
  registerChange(blast, 'pause', 'send nothing more until it is resumed; what was handed over is out');
  registerChange(blast, 'resume', 'go on with a paused blast');
  registerChange(blast, 'cancel', 'send nothing more, for good');

  const listed = list<ZonedBlast, { workshop?: string }>(blast, {
    usage: 'list',
    summary: 'list the blasts of a workshop, the oldest first',
    examples: ['blast list --workshop carlton-motors'],
    what: 'blast',
    cursor: 'after',
    columns,
    cursorOf: ({ id }) => id,
    json: named,
    async open(session, _, { workshop }) {
      const { listBlasts } = await import('#product/campaigns/blasts/store.ts');
      const { workshopId, timezone } = await workshopOf(session, workshop);
      return async ({ cursor, limit }) => {
        const rows = await listBlasts(session.db, workshopId, cursor, limit);
        return rows.map((row) => ({ ...row, timezone }));
      };
    },
  });
  withWorkshop(listed);

  const show = {
    usage: 'show <blast>',
    summary: 'show how far a blast has come',
    examples: ['blast show 0198c6a7-…'],
    times: true,
  };
  verb(blast, show, ([id = '']) =>
    withSession(async ({ db }) => {
      const { requireBlast } = await import('#product/campaigns/blasts/store.ts');
      return shown(db, await requireBlast(db, id));
    }),
  );
}

function registerCreate(blast: Command): void {
  const create = {
    usage: 'create',
    summary: 'create a blast, as a draft',
    examples: [
      `blast create --workshop carlton-motors --name "Winter tyres" --template 0198c6a4-… --audience '{"serviceCategories":["tyres"],"lastVisitBefore":"2029-12-01"}'`,
    ],
  };
  const created = verb<Typed<BlastInput>>(blast, create, (_, input) =>
    withSession(async (session) => {
      const { db, clock } = session;
      const { createBlast } = await import('#product/campaigns/blasts/create.ts');
      const { workshopId } = await workshopOf(session, input.workshop);
      const made = await createBlast({ db, clock }, { ...input, workshop: workshopId }, actors.operator);
      note(`It is a draft: look at it with pitlane blast preview ${made.id}`);
      return shown(db, made);
    }),
  );
  withWorkshop(created)
    .requiredOption('--name <name>', 'what people call it (required)')
    .requiredOption('--template <id>', 'a published inbox template that needs no booking (required)')
    .option(
      '--audience <json>',
      'lastVisitBefore, lastVisitAfter, serviceCategories, carYearFrom, carYearTo, tags, neverVisited: all that are given hold together; all customers unless given',
    )
    .option(
      '--other-countries',
      'send to numbers of other countries too; else those are left out from which nobody has written or booked',
    );
}

function registerPreview(blast: Command): void {
  const preview = {
    usage: 'preview <blast>',
    summary: 'how many customers it would reach now, how many not, and five of the texts; sends nothing',
    examples: ['blast preview 0198c6a7-…'],
  };
  verb(blast, preview, ([id = '']) =>
    withSession(async ({ db, clock, config }) => {
      const { previewBlast } = await import('#product/campaigns/blasts/preview.ts');
      const { nameWritten, phoneIn } = await import('#base/values/phone.ts');
      const found = await previewBlast({ db, clock, config }, id);
      const examples = table(found.examples, {
        NAME: ({ name }) => name && nameWritten(name, found.country),
        PHONE: ({ phone }) => phone && phoneIn(found.country, phone),
        PARTS: ({ segments }) => segments,
        TEXT: ({ text, fault }) => text ?? `(${fault})`,
      });
      const { recipients, otherCountry, mayHaveOptedOut } = found;
      const leftOut =
        otherCountry === 0 ? '' : `left out    ${otherCountry} (their number is of another country)\n`;
      const asked =
        mayHaveOptedOut === 0
          ? ''
          : `left out    ${mayHaveOptedOut} (they may have asked for no more texts)\n`;
      return { json: found, text: `recipients  ${recipients}\n${leftOut}${asked}${examples}` };
    }),
  );
}

function registerTrigger(blast: Command): void {
  const trigger = {
    usage: 'trigger <blast>',
    summary: 'send a draft to its audience, now or at a time',
    examples: ['blast trigger 0198c6a7-…', 'blast trigger 0198c6a7-… --at "2030-05-01 09:00"'],
  };
  verb<{ at?: string }>(blast, trigger, ([id = ''], { at: time }) =>
    withSession(async ({ db, clock }) => {
      const { triggerOwnBlast } = await import('#product/campaigns/blasts/own.ts');
      return shown(db, await triggerOwnBlast({ db, clock }, id, time, actors.operator));
    }),
  ).option('--at <time>', 'in the workshop\'s time zone, such as "2030-05-01 09:00"; now unless given');
}

function registerChange(blast: Command, name: BlastChange, summary: string): void {
  const spec = { usage: `${name} <blast>`, summary, examples: [`blast ${name} 0198c6a7-…`] };
  verb(blast, spec, ([id = '']) =>
    withSession(async ({ db, clock }) => {
      const { changeBlast } = await import('#product/campaigns/blasts/change.ts');
      return shown(db, await changeBlast({ db, clock }, id, name, actors.operator));
    }),
  );
}

/** The id's name in the options of other commands. */
function named<Row extends BlastRow>({ id, ...rest }: Row) {
  return { blastId: id, ...rest };
}

interface ZonedBlast extends BlastRow {
  readonly timezone: string;
}

async function shown(db: Queryable, row: BlastRow): Promise<CommandResult> {
  const { requireWorkshop } = await import('#product/workshops/store.ts');
  const { timezone } = await requireWorkshop(db, row.workshopId);
  const { counts, ...blast } = named(row);
  return { json: named(row), text: details({ ...blast, ...localTimes(blast, timezone), ...counts }) };
}

const columns = {
  BLAST: (row: BlastRow) => row.id,
  NAME: (row: BlastRow) => row.name,
  STATUS: (row: BlastRow) => row.status,
  SCHEDULED: (row: ZonedBlast) => at(row.scheduledAt, row.timezone),
  RECIPIENTS: ({ counts }: BlastRow) => counts.recipients,
  WAITING: ({ counts }: BlastRow) => counts.waiting,
  SENT: ({ counts }: BlastRow) => counts.sent,
  DELIVERED: ({ counts }: BlastRow) => counts.delivered,
  FAILED: ({ counts }: BlastRow) => counts.failed,
  UNKNOWN: ({ counts }: BlastRow) => counts.unknown,
  SKIPPED: ({ counts }: BlastRow) => counts.skipped,
};
