/** How a command fails: one line on standard error, or one for each bad setting, and an exit code, 2 when the command line itself was wrong. */
import { CommanderError } from 'commander';
import { ConfigError } from '#config/setting.ts';
import { readConfig } from '#config.ts';
import { DatabaseFull, DatabaseUnavailable } from '#db/database.ts';
import { EmbeddedError } from '#db/embedded/errors.ts';
import { MigrationError } from '#db/migrate.ts';
import { Problem } from '#errors.ts';
import { InvalidInput, OperatorError } from '#operator-error.ts';
import { note } from './output.ts';
import { terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Prints the error and returns the exit code. */
export function reportFailure(error: unknown): number {
  // Commander has printed its own line, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const lines = error instanceof ConfigError ? error.faults : [lineOf(error)];
  for (const line of lines) note(`pitlane: ${line.replace(/\s*\n\s*/g, ' ')}`);
  return error instanceof InvalidInput || error instanceof UsageError ? 2 : 1;
}

function lineOf(error: unknown): string {
  if (error instanceof InvalidInput) {
    return error.errors.map(({ field, message }) => `${optionOf(field)} ${message}`).join('; ');
  }
  if (error instanceof DatabaseFull)
    return `PostgreSQL's disk is full (${causeOf(error)}): nothing was written; make room, then try again`;
  if (error instanceof DatabaseUnavailable || isNetworkError(error))
    return `can't reach PostgreSQL: ${causeOf(error)}`;
  if (!(error instanceof Error)) return String(error);
  const expected = [OperatorError, Problem, MigrationError, EmbeddedError].some(
    (kind) => error instanceof kind,
  );
  return expected || !wantsStack() ? error.message || error.name : (error.stack ?? error.message);
}

/** `notifyPhones` → `--notify-phones`. */
function optionOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function causeOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  // A name with several addresses fails with one error for each, and without a message of its own.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return (first instanceof Error && first.message) || error.message;
}

/** What the driver reports when the server does not respond. */
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
