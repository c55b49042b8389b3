/** Test output on a page: a line for each file, failures in full, the slowest files, and closing lines as node's own. */
import { inspect, styleText } from 'node:util';
import { type Counts, type FileResult, noCounts } from './results.ts';

const slowestShown = 10;

export interface Report {
  /** `where` names the server, where there are several. */
  add(result: FileResult, where: string): void;
  /** The last page. */
  close(durationMs: number): void;
  readonly failed: boolean;
}

export function createReport(say: (line: string) => void): Report {
  const all: (FileResult & { readonly label: string })[] = [];
  const counts = noCounts();

  return {
    add(result, where) {
      const label = where === '' ? result.file : `${result.file}  (${where})`;
      all.push({ ...result, label });
      for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += result.counts[key];
      for (const { name, error } of result.failures) {
        say(`\n${styleText('red', `✖ ${label}${name === '' ? '' : ` › ${name}`}`)}\n${textOf(error)}\n`);
      }
      const mark = result.failures.length > 0 ? styleText('red', '✖') : styleText('green', '✔');
      const tests = `${result.counts.tests} ${result.counts.tests === 1 ? 'test' : 'tests'}`;
      say(`  ${mark} ${label}  ${tests}  ${styleText('gray', seconds(result.durationMs))}`);
      for (const skipped of result.skipped) say(`    skipped: ${skipped}`);
    },
    close(durationMs) {
      if (counts.tests === 0) say(`\n${styleText('red', '✖ no test was run')}`);
      const slowest = all.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestShown);
      if (all.length > slowestShown) {
        say('\nSlowest:');
        for (const { label, durationMs } of slowest) say(`  ${seconds(durationMs).padStart(7)}  ${label}`);
      }
      const failures = all.flatMap(({ label, failures: each }) => each.map(({ name }) => ({ label, name })));
      if (failures.length > 0) {
        say(`\n${styleText('red', 'Failed:')}`);
        for (const { label, name } of failures) say(`  ✖ ${label}${name === '' ? '' : ` › ${name}`}`);
      }
      say('');
      for (const [name, count] of Object.entries(counts)) say(`ℹ ${name} ${count}`);
      say(`ℹ duration_ms ${Math.round(durationMs)}`);
    },
    get failed() {
      return counts.tests === 0 || all.some(({ failures }) => failures.length > 0);
    },
  };
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
