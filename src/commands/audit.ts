/** `pitlane audit …`: who changed what, and when. */
import type { Command } from 'commander';
import { InvalidInput } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import type { TrailEntry } from '#platform/audit/read/store.ts';
import { actorInWords, personOf } from '#platform/audit/words.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { AnyRecord, StaffRow } from '#platform/records/record.ts';
import { list } from './paging.ts';
import { at } from './times.ts';
import { group } from './verb.ts';
import { withWorkshopFilter, workshopFilter } from './workshop-option.ts';

interface Search {
  readonly workshop?: string;
  readonly subject?: string;
  readonly person?: string;
}

export function registerAudit(program: Command): void {
  const audit = group(program, 'audit', 'the audit trail: who changed what, and when', [
    'audit list --workshop carlton-motors',
    'audit list --subject K7M4TQ2P',
  ]);
  const listed = list<TrailEntry, Search>(audit, {
    usage: 'list',
    summary:
      'list what people, partners, customers, the command line and the schedule changed, the newest first',
    examples: ['audit list --workshop carlton-motors', 'audit list --subject K7M4TQ2P --json'],
    what: 'entry',
    cursor: 'before',
    columns,
    cursorOf: ({ id }) => id,
    async open(session, _, { workshop, subject, person }) {
      if (person !== undefined && !isId(person))
        throw new InvalidInput([{ field: 'person', message: 'is not an id' }]);
      const { db } = session;
      const of = {
        workshopId: (await workshopFilter(session, workshop))?.workshopId ?? null,
        subjectId: subject === undefined ? null : await subjectNamed(db, subject),
        personId: person?.toLowerCase() ?? null,
      };
      const { listTrail } = await import('#platform/audit/read/store.ts');
      return ({ cursor, limit }) => listTrail(db, { ...of, before: cursor, limit });
    },
  });
  withWorkshopFilter(listed)
    .option(
      '--subject <subject>',
      'of one booking, quote or reminder, by id or code, or of anything else, by id',
    )
    .option('--person <id>', 'by one person only');
}

/** The id of the record with this code; an id is returned unchanged. Throws InvalidInput for an unknown code. */
async function subjectNamed(db: Queryable, idOrCode: string): Promise<string> {
  if (isId(idOrCode)) return idOrCode;
  const { records } = await import('#records.ts');
  const { byIdOrCode } = await import('#platform/records/partner-records.ts');
  const { findRecord } = await import('#platform/records/store.ts');
  for (const record of records as readonly AnyRecord[]) {
    const name = byIdOrCode(record, idOrCode);
    const found = name && ((await findRecord(db, record, name)) as StaffRow | null);
    if (found !== null) return found.id;
  }
  throw new InvalidInput([
    { field: 'subject', message: 'is neither an id nor the code of a booking, quote or reminder' },
  ]);
}

/** `date: 2030-03-01 → 2030-03-02`; of a list or an object only the name is shown. */
function changesInWords({ before, after }: TrailEntry): string | null {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const isShort = (value: unknown) => typeof value !== 'object' || value === null;
  return (
    names
      .map((name) => {
        const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
        if (!isShort(was) || !isShort(is)) return name;
        return before === null ? `${name}: ${is}` : `${name}: ${was ?? '-'} → ${is ?? '-'}`;
      })
      .join(', ') || null
  );
}

const columns = {
  TIME: ({ recordedAt }: TrailEntry) => at(recordedAt),
  WHO: ({ actor, partner }: TrailEntry) =>
    personOf(actor) === null ? actorInWords(actor, { partner }) : actor,
  WHAT: ({ action }: TrailEntry) => action,
  SUBJECT: ({ subjectId }: TrailEntry) => subjectId,
  CHANGES: changesInWords,
  REQUEST: ({ requestId }: TrailEntry) => requestId,
};
