/**
 * How a command fails: one line on standard error, or one for each bad setting, and an exit code, 2 when the command line itself was
 * wrong. With `--json` it is one line `{"error":{…}}`, also on standard error: standard output never holds anything but a result.
 */
import { CommanderError } from 'commander';
import { ConfigError } from '#base/config/setting.ts';
import { readConfig } from '#base/config.ts';
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { type FieldError, Problem } from '#errors.ts';
import { EmbeddedError } from '#platform/db/embedded/errors.ts';
import { DatabaseFull, DatabaseUnavailable } from '#platform/db/errors.ts';
import { MigrationError } from '#platform/db/migration-error.ts';
import { styled } from './colours.ts';
import { ExitError } from './exit-error.ts';
import { faultOf, refusalLine } from './hints.ts';
import { jsonText, note } from './output.ts';
import { terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Failure {
  /** `usage`: the command line. `settings`. `database`: it can't be reached or used. `refused`: the request. `internal`: a bug. */
  readonly kind: 'usage' | 'settings' | 'database' | 'refused' | 'internal';
  readonly lines: readonly string[];
  /** Each bad option. */
  readonly fields?: readonly FieldError[];
}

/** Prints the error and returns the exit code. */
export function reportFailure(error: unknown): number {
  // Commander has printed its own line, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const failure = failureOf(error);
  printFailure(failure);
  if (error instanceof ExitError) return error.exitCode;
  return failure.kind === 'usage' ? 2 : 1;
}

export function printFailure({ kind, lines, fields }: Failure): void {
  const messages = lines.map((line) => line.replace(/\s*\n\s*/g, ' '));
  const { json, stderr } = terminal();
  if (json) {
    const error = { kind, message: messages.join('; '), ...(kind === 'settings' && { faults: messages }) };
    note(jsonText({ error: { ...error, ...(fields && { fields }) } }));
  } else for (const message of messages) note(`${styled('red', 'pitlane:', stderr)} ${message}`);
}

/** The message about an error, on one line. */
export function lineOf(error: unknown): string {
  return failureOf(error).lines.join('; ');
}

function failureOf(error: unknown): Failure {
  if (error instanceof ExitError) return { kind: 'refused', lines: [error.message] };
  if (error instanceof ConfigError) return { kind: 'settings', lines: error.faults };
  if (error instanceof InvalidInput) {
    const fields = error.errors.map(faultOf);
    return {
      kind: 'usage',
      lines: [fields.map((each) => `${each.field} ${each.message}`).join('; ')],
      fields,
    };
  }
  if (error instanceof UsageError) return { kind: 'usage', lines: [error.message] };
  if (error instanceof DatabaseFull) {
    const line = `PostgreSQL's disk is full (${causeOf(error)}): nothing was written; make room, then try again`;
    return { kind: 'database', lines: [line] };
  }
  if (error instanceof DatabaseUnavailable || isNetworkError(error))
    return { kind: 'database', lines: [`can't reach PostgreSQL: ${causeOf(error)}`] };
  if (error instanceof OperatorError || error instanceof Problem)
    return { kind: 'refused', lines: [refusalLine(error)] };
  if (!(error instanceof Error)) return { kind: 'internal', lines: [String(error)] };
  const kind = kindOf(error);
  const withStack = kind === 'internal' && wantsStack();
  return { kind, lines: [(withStack ? error.stack : error.message) || error.name] };
}

function kindOf(error: Error): Failure['kind'] {
  return error instanceof MigrationError || error instanceof EmbeddedError ? 'database' : 'internal';
}

function causeOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  // A name with several addresses fails with one error for each, and without a message of its own.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return (first instanceof Error && first.message) || error.message;
}

/** Tells whether the driver reports that the server does not respond. */
function isNetworkError(error: unknown): error is Error {
  return (
    error instanceof Error && 'syscall' in error && /^(?:connect|getaddrinfo)$/.test(String(error.syscall))
  );
}

function wantsStack(): boolean {
  try {
    return ['debug', 'trace'].includes(readConfig(terminal().env).logLevel);
  } catch {
    return false;
  }
}
