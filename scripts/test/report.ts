/** Test output on a page: a line for each file, failures in full, what took most CPU, and closing lines as node's own. */
import { inspect, styleText } from 'node:util';
import { flakyRow } from './flaky.ts';
import { type Counts, type FileResult, messageOf, noCounts } from './results.ts';

const filesShown = 10;
const foldersShown = 15;
/** Lines of each failure that the last page repeats, for whoever has only the end of a log. */
const linesRepeated = 15;
const failuresRepeated = 10;

/** CPU of a run, in milliseconds. */
export interface RunCpu {
  readonly servers: readonly Priced[];
  /** Of everything that the run started, the servers included. */
  readonly totalMs: number;
}

export interface Report {
  /** `where` names the server, where there are several. */
  add(result: FileResult, where: string): void;
  /** How a file ended that was run once more: that counts in place of its first end. What is forgiven then is listed on the last page. */
  again(result: FileResult, where: string): void;
  /** The last page. `cpu` is null where the platform does not tell. */
  close(durationMs: number, cpu: RunCpu | null): void;
  readonly failed: boolean;
}

export function createReport(say: (line: string) => void): Report {
  const all: Reported[] = [];
  const forgiven: Reported[] = [];

  function sayMost(title: string, all: readonly Priced[], most: number): void {
    say(`\n${title}`);
    for (const { label, cpuMs } of all.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, most))
      say(`  ${seconds(cpuMs).padStart(8)}  ${label}`);
  }

  function sayResult(result: Reported): void {
    const { label, failures, counts } = result;
    for (const { name, error } of failures) {
      say(`\n${styleText('red', `✖ ${label}${name === '' ? '' : ` › ${name}`}`)}\n${textOf(error)}\n`);
    }
    const mark = failures.length > 0 ? styleText('red', '✖') : styleText('green', '✔');
    const tests = `${counts.tests} ${counts.tests === 1 ? 'test' : 'tests'}`;
    say(`  ${mark} ${label}  ${tests}  ${styleText('gray', timesOf(result))}`);
    for (const skipped of result.skipped) say(`    skipped: ${skipped}`);
  }

  return {
    add(result, where) {
      const reported = labelled(result, where);
      all.push(reported);
      sayResult(reported);
    },
    again(result, where) {
      const second = labelled(result, where);
      const at = all.findIndex(({ label }) => label === second.label);
      const first = all[at];
      if (first === undefined) throw new Error(`${second.label} was not run before`);
      all[at] = { ...second, cpuMs: (first.cpuMs ?? 0) + (second.cpuMs ?? 0) };
      if (second.failures.length === 0) forgiven.push(first);
      sayResult(second);
    },
    close(durationMs, cpu) {
      const counts = countsOf(all);
      if (counts.tests === 0) say(`\n${styleText('red', '✖ no test was run')}`);
      const priced = all.map(({ file, label, cpuMs }) => ({ file, label, cpuMs: cpuMs ?? 0 }));
      if (all.length > filesShown) {
        sayMost('Most CPU:', priced, filesShown);
        sayMost('CPU by folder:', byFolder(priced), foldersShown);
      }
      const failures = all.flatMap(({ label, failures: each }) =>
        each.map((failure) => ({ label, ...failure })),
      );
      if (failures.length > 0) say(`\n${styleText('red', 'Failed:')}`);
      for (const [at, { label, name, error }] of failures.entries()) {
        say(`  ✖ ${label}${name === '' ? '' : ` › ${name}`}`);
        if (at < failuresRepeated) say(textOf(error).split('\n').slice(0, linesRepeated).join('\n'));
      }
      if (forgiven.length > 0) {
        say(
          `\n${styleText('yellow', 'Flaky')}, forgiven this once; each is for test/flaky.md, and is mended first:`,
        );
        for (const row of forgiven.flatMap(rowsOf)) say(row);
      }
      say('');
      for (const [name, count] of Object.entries(counts)) say(`ℹ ${name} ${count}`);
      say(`ℹ duration_ms ${Math.round(durationMs)}`);
      if (cpu !== null) say(`ℹ cpu ${totalOf(cpu, sumOf(priced))}`);
    },
    get failed() {
      return countsOf(all).tests === 0 || all.some(({ failures }) => failures.length > 0);
    },
  };
}

type Reported = FileResult & { readonly label: string };

function labelled(result: FileResult, where: string): Reported {
  return { ...result, label: where === '' ? result.file : `${result.file}  (${where})` };
}

function countsOf(all: readonly FileResult[]): Counts {
  const sum = noCounts();
  for (const { counts } of all)
    for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
  return sum;
}

/** As they stand in `test/flaky.md`. */
function rowsOf({ file, failures }: FileResult): string[] {
  const today = new Date().toISOString().slice(0, 10);
  return failures
    .filter(({ kind }) => kind === 'waited')
    .map(({ name, error }) => flakyRow({ file, test: name, message: messageOf(error), date: today }));
}

interface Priced {
  /** A file, folder or server. */
  readonly label: string;
  readonly cpuMs: number;
}

/** A folder below `src` or below one of its groups, a package, or a top one. */
function byFolder(all: readonly (Priced & { readonly file: string })[]): Priced[] {
  const folderOf = ({ file }: { readonly file: string }) =>
    /^(?:src\/(?:(?:base|platform|product|operation)\/)?[^/]+(?=\/)|packages\/[^/]+|[^/]+)/.exec(file)?.[0] ??
    file;
  return [...Map.groupBy(all, folderOf)].map(([label, files]) => ({ label, cpuMs: sumOf(files) }));
}

function sumOf(all: readonly Priced[]): number {
  return all.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

function totalOf({ servers, totalMs }: RunCpu, testsMs: number): string {
  const known = [{ label: 'tests', cpuMs: testsMs }, ...servers];
  const parts = [...known, { label: 'checks and the rest', cpuMs: totalMs - sumOf(known) }];
  return `${seconds(totalMs)}: ${parts.map(({ label, cpuMs }) => `${label} ${seconds(cpuMs)}`).join(', ')}`;
}

function timesOf({ durationMs, cpuMs }: FileResult): string {
  return `${seconds(durationMs)}${cpuMs === null ? '' : `, CPU ${seconds(cpuMs)}`}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function textOf(error: unknown): string {
  const text =
    typeof error === 'string' ? error : isAssertion(error) ? error.stack : inspect(error, { depth: 4 });
  const lines = text.split('\n').filter((line) => !/^\s+at .*(?:node:internal|node:async_hooks)/.test(line));
  return lines.map((line) => `    ${line}`).join('\n');
}

/** The stack of a failed assertion begins with its message and the differing lines; its fields only repeat them. */
function isAssertion(error: unknown): error is { readonly stack: string } {
  return error instanceof Error && error.name === 'AssertionError' && error.stack !== undefined;
}
