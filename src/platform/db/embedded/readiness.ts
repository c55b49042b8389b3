/** Waiting until a PostgreSQL that was just started accepts connections. */
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostmasterFile, stopBy } from './leftover.ts';
import { tailOf } from './program-error.ts';

export interface Awaited {
  /** The cluster's folder. */
  readonly dir: string;
  /** Where the program's output goes. */
  readonly log: string;
  /** Gets the latest line of PostgreSQL's log every `noticeEveryMs`. */
  readonly notice?: (line: string) => void;
  readonly noticeEveryMs?: number;
  readonly silentAtMostMs?: number;
}

const pollMs = 10;
/**
 * A recovery takes as long as it takes: PostgreSQL writes to its log every ten seconds how far it is. Only the checkpoint at its end
 * says nothing, and that may have gigabytes to bring to a slow disk.
 */
const usualSilenceMs = 10 * 60_000;
const usualNoticeMs = 10_000;

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Resolves to `ended` when it ended first, and to `silent` when it wrote nothing to its log for too long and was stopped. */
export async function becomesReady(child: ChildProcess, of: Awaited): Promise<'ready' | 'ended' | 'silent'> {
  const { dir, log, notice, noticeEveryMs = usualNoticeMs, silentAtMostMs = usualSilenceMs } = of;
  child.on('error', () => undefined);
  let logged = -1;
  let silence = AbortSignal.timeout(silentAtMostMs);
  let quiet = AbortSignal.timeout(noticeEveryMs);
  while (!hasEnded(child)) {
    const file = readPostmasterFile(dir);
    if (file?.pid === child.pid && file?.ready) return 'ready';
    const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes !== logged) {
      logged = bytes;
      silence = AbortSignal.timeout(silentAtMostMs);
    } else if (silence.aborted) {
      await stopBy(
        (signal) => child.kill(signal),
        () => hasEnded(child),
      );
      return 'silent';
    }
    if (quiet.aborted) {
      notice?.(`PostgreSQL is still starting: ${lastStep(log)}`);
      quiet = AbortSignal.timeout(noticeEveryMs);
    }
    await sleep(pollMs);
  }
  return 'ended';
}

/** The last line of its log, without time and process id. */
function lastStep(log: string): string {
  const line = tailOf(log).trimEnd().split('\n').at(-1) ?? '';
  return /LOG:\s*(.*)/.exec(line)?.[1] ?? line;
}
