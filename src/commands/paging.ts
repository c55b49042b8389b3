/** `--limit` and `--before` of commands that list the newest first. */
import type { Command } from 'commander';
import { isId } from '#values/id.ts';
import { UsageError } from './usage-error.ts';

export interface Page {
  readonly limit?: string;
  readonly before?: string;
}

/** Throws UsageError. */
export function readPage({
  limit: limitText = '50',
  before = null,
}: {
  limit?: string;
  before?: string | null;
}): {
  limit: number;
  before: string | null;
} {
  const limit = Number(limitText);
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > 1_000) {
    throw new UsageError('--limit must be a whole number from 1 to 1000');
  }
  if (before !== null && !isId(before)) throw new UsageError('--before is not an id');
  return { limit, before };
}

/** `what` is named by `--before`. */
export function withPaging(command: Command, what: string): Command {
  return command
    .option('--limit <number>', 'how many at most, 1 to 1000; 50 unless given')
    .option(`--before <id>`, `those before this ${what}: the next page`);
}
