/** Lists: a page of `--limit` rows, the next one by `--after` or `--before`, or with `--all` everything, as it is read. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { InvalidInput } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import type { FieldError } from '#errors.ts';
import { type CommandResult, jsonText, note, print } from './output.ts';
import { type Session, withSession } from './session.ts';
import { type Columns, table, tableOf } from './table.ts';
import { terminal } from './terminal.ts';
import { type VerbSpec, verb } from './verb.ts';

export interface Page {
  readonly limit?: string;
  readonly before?: string;
  readonly after?: string;
  readonly all?: true;
}

/** The request to a store: `limit` rows after the row of `cursor`. */
export interface Rows {
  readonly cursor: string | null;
  readonly limit: number;
}

export interface ListSpec<Row, Options> extends VerbSpec {
  /** The name of a row, such as `booking`. */
  readonly what: string;
  /** `before`: the newest first. `after`: the oldest first. */
  readonly cursor: 'before' | 'after';
  /** Loaded by a function when the command runs. */
  readonly columns: Columns<Row> | (() => Promise<Columns<Row>>);
  /** Rows that matter less. */
  readonly isDimmed?: (row: Row) => boolean;
  /** The cursor that names a row. */
  readonly cursorOf: (row: Row) => string;
  /** True for a text that may be a cursor; an id unless given. */
  readonly isCursor?: (text: string) => boolean;
  /** A row of `--json`; the row itself unless given. */
  readonly json?: (row: Row) => unknown;
  /** Checks arguments and options, and resolves to the reader of a page, which `--all` calls for each page. */
  readonly open: (
    session: Session,
    args: readonly string[],
    options: Options,
  ) => Promise<(rows: Rows) => Promise<readonly Row[]>>;
  /** The result in place of rows; null: these options want rows. */
  readonly counted?: (session: Session, options: Options) => Promise<CommandResult | null>;
}

/** The number of rows that `--all` reads at a time. */
const partOfAll = 500;

/** Declares a command that lists, and returns it, so that filters can be added. */
export function list<Row, Options extends object = object>(
  parent: Command,
  spec: ListSpec<Row, Options>,
): Command {
  const command = verb<Options & Page>(parent, { ...spec, times: true }, (args, options) => {
    const { limit, cursor, all, faults } = pageAsked(options, spec.isCursor);
    return withSession(async (session) => {
      const read = await spec.open(session, args, options).catch((error: unknown) => {
        throw error instanceof InvalidInput ? new InvalidInput([...error.errors, ...faults]) : error;
      });
      if (faults.length > 0) throw new InvalidInput(faults);
      const counted = await spec.counted?.(session, options);
      if (counted) return counted;
      if (all) {
        await printAll(spec, read, cursor);
        return null;
      }
      const found = await read({ cursor, limit: limit + 1 });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      if (found.length > limit && last !== undefined) {
        note(`There are more: --${spec.cursor} ${spec.cursorOf(last)} shows the next, --all shows all.`);
      }
      return {
        json: rows.map(spec.json ?? ((row) => row)),
        text: table(rows, await columnsOf(spec), spec.isDimmed),
      };
    });
  });
  return withPaging(command, spec.what, spec.cursor).option('--all', 'every one, in place of a page');
}

async function columnsOf<Row, Options>({ columns }: ListSpec<Row, Options>): Promise<Columns<Row>> {
  return typeof columns === 'function' ? columns() : columns;
}

/** Yields rows as they are read, so that they are never all in memory. */
async function printAll<Row, Options>(
  spec: ListSpec<Row, Options>,
  read: (rows: Rows) => Promise<readonly Row[]>,
  from: string | null,
): Promise<void> {
  const { json: isJson } = terminal();
  const { isDimmed, cursorOf, json = (row) => row } = spec;
  const tableText = tableOf(await columnsOf(spec), isDimmed);
  let cursor = from;
  let isFirst = true;
  for (;;) {
    const rows = await read({ cursor, limit: partOfAll });
    if (isJson) {
      const texts = rows.map((row) => jsonText(json(row))).join(',');
      await write((isFirst ? '[' : texts && ',') + texts);
    } else if (isFirst || rows.length > 0) print(tableText(rows));
    isFirst = false;
    const last = rows.at(-1);
    if (rows.length < partOfAll || last === undefined) break;
    cursor = cursorOf(last);
  }
  if (isJson) await write(']\n');
}

/** Waits until the output has drained. */
async function write(text: string): Promise<void> {
  const { stdout } = terminal();
  if (stdout.write(text) === false && 'once' in stdout) await once(stdout as never, 'drain');
}

/** Throws InvalidInput. */
export function readPage(page: Page): PageAsked {
  const asked = pageAsked(page);
  if (asked.faults.length > 0) throw new InvalidInput(asked.faults);
  return asked;
}

interface PageAsked extends Rows {
  readonly all: boolean;
  readonly faults: readonly FieldError[];
}

function pageAsked(
  { limit: limitText = '50', before, after, all }: Page,
  isCursor: (text: string) => boolean = isId,
): PageAsked {
  const faults: FieldError[] = [];
  const limit = Number(limitText);
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > 1_000) {
    faults.push({ field: 'limit', message: 'must be a whole number from 1 to 1000' });
  }
  for (const [field, cursor] of Object.entries({ before, after })) {
    if (cursor !== undefined && !isCursor(cursor)) faults.push({ field, message: 'is not an id' });
  }
  return { limit, cursor: (before ?? after)?.toLowerCase() ?? null, all: all === true, faults };
}

/** `what`: the id's name in the option of the next page. */
export function withPaging(command: Command, what: string, cursor: 'before' | 'after' = 'before'): Command {
  return command
    .option('--limit <number>', 'how many at most, 1 to 1000; 50 unless given')
    .option(`--${cursor} <id>`, `those ${cursor} this ${what}: the next page`);
}
