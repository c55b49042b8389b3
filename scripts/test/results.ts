/** The results of each file's tests, from the events of the processes that ran them. */
import type { TestEvent } from 'node:test/reporters';
import { type Kind, kindOf } from './forgive.ts';

export interface Failure {
  /** Names of the enclosing suites and of the test. */
  readonly name: string;
  readonly error: unknown;
  readonly kind: Kind;
}

/** The first line of what the error of a failure says. */
export function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
}

export interface Counts {
  tests: number;
  suites: number;
  pass: number;
  fail: number;
  cancelled: number;
  skipped: number;
  todo: number;
}

export interface FileResult {
  readonly file: string;
  readonly counts: Counts;
  readonly failures: Failure[];
  /** Names with their reasons. */
  readonly skipped: string[];
  /** From the end of the file before it in its process, so with the loading of what it imports. */
  readonly durationMs: number;
  /** Of its process meanwhile, and of the child processes that ended meanwhile; null when the process ended before it could say. */
  readonly cpuMs: number | null;
}

/** How a process says what a file cost; it follows the file's result. */
export const cpuLine = (ms: number): string => `cpu_ms ${Math.round(ms)}`;
const cpuPattern = /^cpu_ms (\d+)$/;

export const noCounts = (): Counts => ({
  ...{ tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 },
});

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];

/** Follows the events of one process of `group.ts`. */
export interface Follower {
  /** Returns the result of a file when the event is the last of it. */
  take(event: TestEvent): FileResult | null;
  /** Call when the process has ended: returns what was not returned yet, with a failed result for each file that it did not finish. */
  rest(): FileResult[];
}

export function follow(files: readonly string[]): Follower {
  const missing = new Set(files);
  /** The result of the process itself. */
  let end: unknown = 'the process ended before its tests did';
  let names: string[] = [];
  let current = emptyResult('');
  let startedAt = performance.now();
  /** Its CPU comes next. */
  let finished: FileResult | null = null;

  function ended(event: TestEvent & { type: 'test:pass' | 'test:fail' }): void {
    const { data } = event;
    const error = event.type === 'test:fail' ? event.data.details.error : null;
    // The outermost level holds the files, and the process.
    if (data.nesting === 0 && !missing.has(data.name)) {
      end = error ?? end;
      return;
    }
    count(current, data, names.slice(1, data.nesting), error);
    if (data.nesting > 0) return;
    missing.delete(data.name);
    const now = performance.now();
    const result = { ...current, file: data.name, durationMs: now - startedAt };
    startedAt = now;
    current = emptyResult('');
    if (result.counts.tests === 0 && result.failures.length === 0)
      fail(result, '', 'there is no test in this file');
    finished = result;
  }

  function withCpu(cpuMs: number | null): FileResult | null {
    const result = finished && { ...finished, cpuMs };
    finished = null;
    return result;
  }

  return {
    take(event) {
      if (event.type === 'test:start') {
        names = [...names.slice(0, event.data.nesting), event.data.name];
      } else if (event.type === 'test:pass' || event.type === 'test:fail') {
        ended(event);
      } else if (event.type === 'test:diagnostic' && event.data.nesting === 0) {
        const cpuMs = cpuPattern.exec(event.data.message)?.[1];
        if (cpuMs !== undefined) return withCpu(Number(cpuMs));
      }
      return null;
    },
    rest() {
      const last = withCpu(null);
      const results = [...missing].map((file, index) => {
        // The first of them was running.
        const result = index === 0 ? { ...current, file } : emptyResult(file);
        fail(result, '', end);
        return result;
      });
      missing.clear();
      return last === null ? results : [last, ...results];
    },
  };
}

function emptyResult(file: string): FileResult {
  return { file, counts: noCounts(), failures: [], skipped: [], durationMs: 0, cpuMs: null };
}

function fail(result: FileResult, name: string, error: unknown, kind: Kind = 'wrong'): void {
  result.counts.tests++;
  result.counts.fail++;
  result.failures.push({ name, error, kind });
}

/** `data` is a test or a suite below the file, or the file itself. */
function count(result: FileResult, data: Ended, above: readonly string[], error: unknown): void {
  const { counts } = result;
  const name = data.nesting === 0 ? '' : [...above, data.name].join(' › ');
  const type = (error as { failureType?: string } | null)?.failureType;
  const cause = (error as Error | null)?.cause ?? error;
  if (data.details.type === 'suite') {
    if (data.nesting > 0) counts.suites++;
    // A suite fails with its tests, which are counted already, or by itself.
    if (error !== null && type !== 'subtestsFailed') fail(result, name, cause, kindOf(error));
    return;
  }
  counts.tests++;
  if (data.skip) {
    counts.skipped++;
    result.skipped.push(`${name} (${typeof data.skip === 'string' ? data.skip : 'no reason given'})`);
  } else if (data.todo) counts.todo++;
  else if (error === null) counts.pass++;
  else if (type === 'subtestsFailed') counts.fail++;
  else {
    if (type === 'cancelledByParent') counts.cancelled++;
    else counts.fail++;
    result.failures.push({ name, error: cause, kind: kindOf(error) });
  }
}
