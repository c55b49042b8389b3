/** `pitlane import list` and `take-back`: imports of the last month, and taking one back. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { Stayed } from '#product/imports/take-back/noted/store.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at } from './times.ts';
import { verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

interface Flags {
  readonly workshop?: string;
}

const listedAtMost = 100;
/** The most records that stayed and are named. */
const namedAtMost = 1_000;

export function registerTakeBack(importing: Command): void {
  withWorkshop(
    verb<Flags>(
      importing,
      {
        ...{
          usage: 'list',
          times: true,
          summary: 'the imports of a workshop of the last month, newest first',
        },
        examples: ['import list --workshop carlton-motors'],
      },
      (_, flags) => list(flags),
    ),
  );
  withWorkshop(
    verb<Flags>(
      importing,
      {
        usage: 'take-back <import>',
        summary:
          'take an import back, within an hour: what it made and nobody has touched since goes, and nobody is told',
        examples: ['import take-back 0198c6a5-… --workshop carlton-motors'],
      },
      ([id = ''], flags) => takeBack(id, flags),
    ),
  );
}

async function list({ workshop: named }: Flags) {
  return withSession(async (session) => {
    const { listRuns } = await import('#product/imports/take-back/run/store.ts');
    const { takeBackUntil } = await import('#product/imports/take-back/rules.ts');
    const workshop = await workshopOf(session, named);
    const runs = (await listRuns(session.db, workshop.workshopId, listedAtMost)).map((run) => {
      const { id, kind, state, rows, writtenAt, counts } = run;
      return {
        importId: id,
        kind,
        state,
        rows,
        importedAt: writtenAt,
        takeBackUntil: takeBackUntil(run),
        counts,
      };
    });
    const zone = workshop.timezone;
    return {
      json: { imports: runs },
      text: table(runs, {
        Import: ({ importId }) => importId,
        Holds: ({ kind }) => kind,
        Rows: ({ rows }) => rows,
        State: ({ state }) => state,
        Imported: ({ importedAt }) => at(importedAt, zone),
      }),
    };
  });
}

async function takeBack(importId: string, { workshop: named }: Flags) {
  return withSession(async (session) => {
    const { isId } = await import('#base/values/id.ts');
    const { OperatorError } = await import('#base/operator-error.ts');
    const { advanceTakeBack, beginTakeBack } = await import('#product/imports/take-back/take-back.ts');
    const { findRun } = await import('#product/imports/take-back/run/store.ts');
    const { listStayed } = await import('#product/imports/take-back/noted/store.ts');
    const { findFile } = await import('#product/imports/files/store.ts');
    const { workshopId, slug } = await workshopOf(session, named);
    const isKnown =
      isId(importId) &&
      ((await findRun(session.db, workshopId, importId)) ??
        (await findFile(session.db, workshopId, importId)));
    if (!isKnown)
      throw new OperatorError(
        `${slug} has no import ${importId}: pitlane import list --workshop ${slug} shows them`,
      );
    await beginTakeBack(session, { workshopId, importId, actor: actors.operator });
    await advanceTakeBack(session, workshopId, importId);
    const run = await findRun(session.db, workshopId, importId);
    const stayed = await listStayed(session.db, workshopId, importId, { after: null, limit: namedAtMost });
    return {
      json: { importId, workshopId, state: run?.state, ...run?.counts, stayedRecords: stayed.map(shown) },
      text: [
        details({ Import: importId, State: run?.state, ...run?.counts }),
        ...stayed.map((each) => `${each.kind} ${each.recordId}: ${each.stays}`),
      ].join('\n'),
    };
  });
}

const shown = ({ kind, recordId, stays }: Stayed) => ({ kind, id: recordId, stays });
