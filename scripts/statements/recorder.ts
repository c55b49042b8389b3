/**
 * Records which texts reach the driver while tests run, for `statements.sql`. A text belongs to the function or constant of the
 * product that sent it; statements of tests themselves are not recorded.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sets, texts } from '#platform/db/announce.ts';

export interface Sent {
  /** From the repository's root. */
  readonly file: string;
  /** The declaration of that file that holds the statement, or hands it over. */
  readonly name: string;
  readonly text: string;
  /** A test file that sent it. */
  readonly test: string;
}

/** The folder in which each process of a run leaves what it has recorded. Without it nothing is recorded. */
export const recordsSetting = 'PITLANE_TEST_STATEMENTS';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Files of src/platform/db/ between a store and the driver: what they send is their callers'. */
export const doorFiles = [
  ...['announce', 'bulk', 'database', 'gather', 'gatherer', 'in-batches', 'in-turns', 'one-by-one'],
  ...['rehearsal', 'replica/snapshot', 'semaphore', 'written-tables'],
];
export const doors = new RegExp(`src/platform/db/(?:${doorFiles.join('|')})\\.ts\\b`);
/** Frames that are passed over. Files that tests have wrapped round a database count as tests. */
const between = new RegExp(`/${doors.source}:|\\(?node:`);
const place = /(?:\(|at )(?:async )?(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/;
/** What can be prepared: not what begins a transaction, changes a setting, or locks, empties or analyses a table. */
export const prepared = /^(?:\s|--[^\n]*\n)*\(*(?:WITH|SELECT|INSERT|UPDATE|DELETE|MERGE|VALUES)\b/;
const declaration = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/;

/** Records from now on; `test` says which file is being run. The result returns what was sent so far. */
export function recordStatements(test: () => string): () => Sent[] {
  const found = new Map<string, Sent>();
  const several = new Map<string, readonly string[]>();
  sets.subscribe((message) => {
    const conditions = message as readonly string[];
    if (conditions.length > 1) several.set(conditions.join(), conditions);
  });
  texts.subscribe((message) => {
    const text = message as string;
    if (!prepared.test(text)) return;
    const at = senderOf(stack());
    if (at === null) return;
    const key = `${at.file}:${at.line} ${text}`;
    if (!found.has(key))
      found.set(key, { file: at.file, name: nameAt(at.file, at.line), text, test: test() });
  });
  // Texts for several filters at once are many; those for none and for each alone stand for them.
  const isOfSeveral = (text: string) =>
    [...several.values()].some((conditions) => conditions.every((each) => text.includes(each)));
  return () => [...found.values()].filter(({ text }) => !isOfSeveral(text));
}

/** Leaves what this process records in `folder` when it ends. */
export function recordInto(folder: string, test: () => string): void {
  const sent = recordStatements(test);
  process.on('exit', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${process.pid}.json`, JSON.stringify(sent()));
  });
}

function stack(): string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const lines = new Error().stack?.split('\n').slice(1) ?? [];
  Error.stackTraceLimit = limit;
  return lines;
}

function senderOf(lines: readonly string[]): { readonly file: string; readonly line: number } | null {
  const frame = lines.find((line) => !between.test(line) && !line.includes('/scripts/statements/'));
  const [, path = '', line = ''] = place.exec(frame ?? '') ?? [];
  const file = path.slice(root.length);
  return path.startsWith(`${root}src/`) && !file.endsWith('.test.ts') ? { file, line: Number(line) } : null;
}

const sources = new Map<string, readonly string[]>();

/** The declaration at the top level that the line is in. */
function nameAt(file: string, line: number): string {
  const lines = sources.get(file) ?? readFileSync(`${root}${file}`, 'utf8').split('\n');
  sources.set(file, lines);
  const found = lines.slice(0, line).findLast((each) => declaration.test(each));
  return declaration.exec(found ?? '')?.[1] ?? '';
}
