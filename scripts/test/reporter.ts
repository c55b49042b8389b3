/** Test output on a page: a line for each file, failures in full, and node's own closing lines. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect, styleText } from 'node:util';

interface Failure {
  readonly where: string;
  readonly error: unknown;
}

/** What the reporter knows of a file whose tests are being reported. */
interface FileState {
  /** Names of the tests that enclose the present one, by depth. */
  readonly names: string[];
  readonly skipped: string[];
  failed: boolean;
}

export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, FileState>();
  const failures: Failure[] = [];
  const stateOf = (file: string | undefined): FileState => {
    const key = file ?? '';
    const state = files.get(key) ?? { names: [], skipped: [], failed: false };
    files.set(key, state);
    return state;
  };

  for await (const { type, data } of source) {
    if (type === 'test:start') {
      stateOf(data.file).names.splice(data.nesting, Number.POSITIVE_INFINITY, data.name);
    } else if (type === 'test:pass' && data.skip) {
      const reason = typeof data.skip === 'string' ? data.skip : 'no reason given';
      stateOf(data.file).skipped.push(`${fullName(stateOf(data.file), data)} (${reason})`);
    } else if (type === 'test:fail') {
      stateOf(data.file).failed = true;
      const error = data.details.error as Error & { failureType?: string };
      // A suite fails with its tests, which are reported already, and a file with them.
      if (error.failureType === 'subtestsFailed') continue;
      const failure = {
        where: `${place(data.file)} › ${fullName(stateOf(data.file), data)}`,
        error: error.cause ?? error,
      };
      failures.push(failure);
      yield describe(failure);
    } else if (type === 'test:stdout' || type === 'test:stderr') {
      yield data.message;
    } else if (type === 'test:summary' && data.file !== undefined) {
      yield fileLine(data.file, stateOf(data.file), data.counts.tests, data.duration_ms);
    } else if (type === 'test:diagnostic' && data.file === undefined && data.nesting === 0) {
      if (data.message.startsWith('tests ')) yield summaryOf(failures);
      yield `ℹ ${data.message}\n`;
    } else if (type === 'test:diagnostic') {
      yield `${data.message}\n`;
    }
  }
}

function fullName(state: FileState, data: { readonly nesting: number; readonly name: string }): string {
  return [...state.names.slice(0, data.nesting), data.name].join(' › ');
}

function place(file: string | undefined): string {
  return file === undefined ? '' : relative(process.cwd(), file);
}

function fileLine(file: string, state: FileState, tests: number, durationMs: number): string {
  const mark = state.failed ? styleText('red', '✖') : styleText('green', '✔');
  const count = `${tests} ${tests === 1 ? 'test' : 'tests'}`;
  const time = styleText('gray', `${(durationMs / 1000).toFixed(1)} s`);
  const skipped = state.skipped.map((name) => `    skipped: ${name}\n`).join('');
  return `  ${mark} ${place(file)}  ${count}  ${time}\n${skipped}`;
}

function describe({ where, error }: Failure): string {
  const text =
    typeof error === 'string' ? error : isAssertion(error) ? error.stack : inspect(error, { depth: 4 });
  const lines = text.split('\n').filter((line) => !/^\s+at .*(?:node:internal|node:async_hooks)/.test(line));
  return `\n${styleText('red', `✖ ${where}`)}\n${lines.map((line) => `    ${line}`).join('\n')}\n\n`;
}

/** The stack of a failed assertion begins with its message and the differing lines; its fields only repeat them. */
function isAssertion(error: unknown): error is { readonly stack: string } {
  return error instanceof Error && error.name === 'AssertionError' && error.stack !== undefined;
}

function summaryOf(failures: readonly Failure[]): string {
  if (failures.length === 0) return '';
  return `\n${styleText('red', 'Failed:')}\n${failures.map(({ where }) => `  ✖ ${where}\n`).join('')}\n`;
}
