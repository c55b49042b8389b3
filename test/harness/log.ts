/**
 * The log of the tests' apps. A line of level error fails the test during which it is written, unless a test has named it: then
 * it must come, and is not shown.
 */
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type { Logger } from 'pino';
import { createLog } from '#base/log.ts';
import { atEnd } from './clean-up.ts';

interface Expectation {
  readonly pattern: RegExp;
  seen: boolean;
}

let expectations: Expectation[] = [];
let unexpected: string[] = [];

/** A log whose lines are stored here, while the test file runs. */
export function testLog(): Logger {
  return createLog('error', { write: keep });
}

/** Says that lines which match will be logged as errors, from now on to the end of the test file. */
export function expectErrors(...patterns: readonly RegExp[]): void {
  if (expectations.length === 0) atEnd(async () => checkAll());
  expectations.push(...patterns.map((pattern) => ({ pattern, seen: false })));
}

function keep(line: string): void {
  const matching = expectations.filter(({ pattern }) => pattern.test(line));
  for (const expectation of matching) expectation.seen = true;
  if (matching.length === 0) unexpected.push(line);
}

function checkLines(): void {
  const lines = unexpected;
  unexpected = [];
  assert.equal(lines.length, 0, `logged as an error, and named by no expectErrors():\n${lines.join('')}`);
}

function checkAll(): void {
  const missing = expectations.filter(({ seen }) => !seen).map(({ pattern }) => String(pattern));
  expectations = [];
  checkLines();
  assert.deepEqual(missing, [], 'expected as errors in the log, and never written');
}

afterEach(checkLines);
