/** Until when an import can be taken back, and why it can't be. */
import type { Clock } from '#base/clock.ts';
import type { ImportFile } from '../files/store.ts';
import type { ImportRun } from './run/store.ts';

/** After the last rows of the import. */
const takeBackForMs = 60 * 60_000;
/** The time for which changes are kept: longer than that, so that none goes while somebody takes the import back. */
export const changesKeptMs = takeBackForMs + 10 * 60_000;

type Clocks = Pick<Clock, 'now' | 'machineNow'>;

/** Why it can't be taken back, as a sentence without a capital; null: it can be. `file`: that was sent on a page. */
export function whyNot(
  run: ImportRun | null,
  clock: Clocks,
  file: Pick<ImportFile, 'state' | 'taken'> | null,
): string | null {
  if (file?.state === 'importing' || file?.state === 'checked') return 'the file is not imported yet';
  // Processes of another release have written some of the rows.
  if (run === null || (file !== null && run.rows !== file.taken))
    return "the import can't be taken back: the previous release made it, and did not note what it made";
  if (run.state !== 'written') return null;
  // Within it by either clock: by the machine's nothing is known of it any more.
  const isLate =
    clock.now().getTime() - run.writtenAt.getTime() > takeBackForMs ||
    clock.machineNow().getTime() - run.changedAt.getTime() > takeBackForMs;
  return isLate ? "the import can't be taken back: it was made over an hour ago" : null;
}

/** Until when it can be taken back, in business time. */
export const takeBackUntil = ({ writtenAt }: ImportRun): Date =>
  new Date(writtenAt.getTime() + takeBackForMs);
