/** `pitlane import …`: customers with their cars, and bookings, from the CSV file of another system. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { ImportKind } from '#product/imports/columns.ts';
import type { Counts } from '#product/imports/counts.ts';
import type { DateOrder } from '#product/imports/days.ts';
import type { Matched } from '#product/imports/matched/match.ts';
import type { Question, QuestionKind } from '#product/imports/questions.ts';
import type { RowFault } from '#product/imports/rows.ts';
import type { Source } from '#product/imports/source.ts';
import { ExitError } from './exit-error.ts';
import { registerTakeBack } from './import-take-back.ts';
import { details } from './output.ts';
import { transferNotes } from './progress.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

interface Flags {
  readonly workshop?: string;
  readonly dryRun?: true;
  readonly skipFaulty?: true;
  readonly dates?: string;
  readonly accept?: string;
  readonly columns?: string;
}

export function registerImport(program: Command): void {
  const importing = group(program, 'import', "what another system's CSV files hold", [
    'import customers customers.csv --workshop carlton-motors --dry-run',
    'import bookings bookings.csv --workshop carlton-motors --dates dmy',
  ]);
  const what: Readonly<Record<ImportKind, string>> = {
    customers: 'import customers and their cars; nobody is told, and what is known stays',
    bookings: 'import bookings, past and to come, with their customers; nobody is told',
  };
  for (const [kind, summary] of Object.entries(what) as [ImportKind, string][]) {
    const spec = {
      ...{ usage: `${kind} <file>`, summary: `${summary} (docs/import.md says how)` },
      examples: [`import ${kind} ${kind}.csv --workshop carlton-motors --dry-run`],
    };
    const command = verb<Flags>(importing, spec, ([file = ''], flags) => run(kind, file, flags));
    withWorkshop(command)
      .option('--dry-run', 'change nothing: say what would be made, and every fault')
      .option(
        '--skip-faulty',
        'import the rows without faults; unless given, nothing is imported while there is one',
      )
      .option('--dates <order>', 'dmy or mdy: how days such as 3/4/2026 are meant')
      .option(
        '--accept <questions>',
        'import although the dry run asks, with commas between: no-phones, unread, mixed-dates, short-years, already-here',
      )
      .option(
        '--columns <json>',
        'what columns are whose headings are not known, such as {"Ph":"phone","Colour":""}; unless given, as was chosen on the page for files of that form',
      );
  }
  registerTakeBack(importing);
}

/** The most faults that are reported: beyond them the file is not read further. */
const faultsAtMost = 100_000;

async function run(
  kind: ImportKind,
  path: string,
  { dates, accept, dryRun, skipFaulty, columns, ...flags }: Flags,
) {
  const named = columnsOf(columns);
  const order = orderOf(dates);
  const accepted = await acceptedOf(accept);
  const source = await fileOf(path);
  return withSession(async (session) => {
    const { checkFile } = await import('#product/imports/check.ts');
    const { importFile } = await import('#product/imports/import.ts');
    const workshop = await workshopOf(session, flags.workshop);
    const matched = await matchedOf(session, { workshopId: workshop.workshopId, kind, source, named });
    const check = { kind, source, order, accepted, matched, asksUnread: matched === null || named !== null };
    const faults: RowFault[] = [];
    const checked = await noted('checking', (progress) =>
      checkFile(session, workshop, check, {
        faults: (of) => void faults.push(...of.slice(0, faultsAtMost - faults.length)),
        progress,
      }),
    );
    const { questions = [], notes = [] } = checked;
    if (dryRun !== true && questions.length > 0) throw openFor(questions);
    if (checked.faults > 0 && skipFaulty !== true && dryRun !== true)
      throw refusedFor(checked.faults, faults);
    const of = { checked, actor: actors.operator };
    let importId: string | null = null;
    const begun = (id: string) => {
      importId = id;
    };
    const made =
      dryRun === true
        ? null
        : await noted('importing', (progress) =>
            importFile(session, workshop, check, of, { progress, begun }),
          );
    const answer = {
      ...{
        kind,
        workshopId: workshop.workshopId,
        dryRun: dryRun === true,
        imported: made !== null,
        importId,
      },
      ...{ ...(made ?? checked.counts), encoding: checked.encoding, ignoredColumns: checked.ignored },
      ...{ columns: named !== null ? 'chosen' : matched !== null ? 'remembered' : 'headings' },
      ...{ questions, notes, faultCount: checked.faults, faults },
    };
    return { json: answer, text: await inWords(answer) };
  });
}

const namedAtMost = 10;

function refusedFor(count: number, faults: readonly RowFault[]): ExitError {
  const first = faults.slice(0, namedAtMost).map(faultLine).join('; ');
  const rest = count > namedAtMost ? `; and ${count - namedAtMost} more` : '';
  const wayOut = '--dry-run names every fault, and --skip-faulty imports the rows without any';
  return new ExitError(1, `nothing was imported: ${first}${rest} (${wayOut})`);
}

function openFor(questions: readonly Question[]): ExitError {
  return new ExitError(1, `nothing was imported: ${questions.map(questionLine).join('; ')}`);
}

/** With the options that answer it. */
function questionLine({ kind, column, message, order }: Question): string {
  const options = `${order === null ? '' : `--dates ${order} `}--accept ${kind}`;
  return `${column ? `${column} ` : ''}${message} (to go on: ${options})`;
}

const faultLine = ({ line, column, message }: RowFault) =>
  `line ${line}: ${column ? `${column} ` : ''}${message}`;

function orderOf(typed: string | undefined): DateOrder | null {
  if (typed === undefined || typed === 'dmy' || typed === 'mdy') return typed ?? null;
  throw new UsageError('--dates is dmy or mdy');
}

async function acceptedOf(typed: string | undefined): Promise<QuestionKind[]> {
  const { questionKinds } = await import('#product/imports/questions.ts');
  return (typed?.split(',') ?? []).map((word) => {
    const kind = questionKinds.find((each) => each === word.trim());
    if (kind === undefined)
      throw new UsageError(`--accept is of ${questionKinds.join(', ')}, with commas between`);
    return kind;
  });
}

/** Null: not given. */
function columnsOf(typed: string | undefined): ReadonlyMap<string, string> | null {
  if (typed === undefined) return null;
  const wayOut = `--columns is a JSON object of headings and fields, such as '{"Ph":"phone","Colour":""}'`;
  let given: unknown;
  try {
    given = JSON.parse(typed);
  } catch {
    throw new UsageError(wayOut);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new UsageError(wayOut);
  const entries = Object.entries(given);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    throw new UsageError(wayOut);
  return new Map(entries);
}

interface OfFile {
  readonly workshopId: string;
  readonly kind: ImportKind;
  readonly source: Source;
  readonly named: ReadonlyMap<string, string> | null;
}

/** Returns the fields of the columns: as named, else as was chosen on the page for files of that form; null: as their headings say. */
async function matchedOf(
  { db }: Session,
  { workshopId, kind, source, named }: OfFile,
): Promise<Matched | null> {
  const { rememberedFor } = await import('#product/imports/files/stage.ts');
  if (named === null) return rememberedFor(db, { workshopId, kind }, source);
  const { openHead } = await import('#product/imports/rows.ts');
  const { matchedByHeadings } = await import('#product/imports/matched/match.ts');
  const { cells } = await openHead(kind, source);
  return matchedByHeadings(kind, cells, named);
}

async function noted<T>(doing: string, work: (progress: (rows: number) => void) => Promise<T>): Promise<T> {
  const notes = transferNotes(doing);
  try {
    return await work((rows) => notes.progress({ rows }));
  } finally {
    notes.end();
  }
}

async function fileOf(path: string) {
  const { stat } = await import('node:fs/promises');
  const { createReadStream } = await import('node:fs');
  const { OperatorError } = await import('#base/operator-error.ts');
  const refused = (reason: string) => new OperatorError(`can't read ${path}: ${reason}`);
  const file = await stat(path).catch((error: Error) => {
    throw refused(error.message);
  });
  // A file is read several times, so it cannot be a pipe.
  if (!file.isFile()) throw refused('it is no file');
  return { name: path, bytes: (): AsyncIterable<Buffer> => createReadStream(path) };
}

async function inWords(
  answer: Counts & {
    readonly imported: boolean;
    readonly importId: string | null;
    readonly encoding: string;
    readonly ignoredColumns: readonly string[];
    readonly questions: readonly Question[];
    readonly notes: readonly string[];
    readonly columns: string;
    readonly faultCount: number;
    readonly faults: readonly RowFault[];
  },
): Promise<string> {
  const { countLabels } = await import('#product/imports/counts.ts');
  const counts = Object.entries(countLabels).map(([name, label]) => [label, answer[name as keyof Counts]]);
  const { encoding, ignoredColumns, questions, notes, faults, columns } = answer;
  const head = details({
    ...Object.fromEntries(counts),
    ...{
      'Read as': encoding,
      'Columns by': columns,
      'Columns not read': ignoredColumns.join(', ') || 'none',
    },
    Imported: answer.imported,
    ...(answer.importId === null
      ? {}
      : { 'Take back within an hour': `import take-back ${answer.importId}` }),
  });
  return [head, ...notes, ...questions.map(questionLine), ...faults.map(faultLine)].join('\n');
}
