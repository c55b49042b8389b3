/** `pitlane backup`: the whole database in one file. */
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { integer } from '#base/config/kinds.ts';
import { version } from '#base/version.ts';
import type { Rotation } from '#operation/backup/rotation.ts';
import type { Progress } from '#operation/backup/summary.ts';
import { note } from './output.ts';
import { transferNotes } from './progress.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

const about = `
The file holds every row of the database as it was at one moment; servers and workers go on meanwhile. It is written beside its
place and moved there once it is whole, for its owner alone (mode 0600): it names all customers. "-" is standard output.

What it does not hold: the secret key (PITLANE_SECRET_KEY, or secret-key in the data folder), earlier keys
(PITLANE_FORMER_SECRET_KEYS), and the other settings. Keep them too, in another place. Pictures that customers sent are in the
database, and so in the file.

With --folder it makes the name itself, of the time, and keeps the newest of these files: for a timer. It leaves half of the room
that is free there, and removes none when it fails.
`;

interface BackupOptions {
  readonly json?: true;
  readonly folder?: string;
  readonly keep?: string;
}

/** The new file: with the given name, or the next of a rotation. */
interface Target {
  readonly file: string;
  readonly rotation: Rotation | null;
}

const usualKeep = '14';
const keptCount = integer({ from: 1, to: 10_000, unit: 'files' });

function targetOf(file: string | undefined, { folder, keep, json }: BackupOptions): Target {
  if (folder !== undefined && file !== undefined) throw new UsageError('name a file or --folder, not both');
  if (folder !== undefined) {
    if (folder === '') throw new UsageError('--folder names no folder');
    const rotation = {
      folder: resolve(folder),
      prefix: 'pitlane-',
      keep: keptCount.parse(keep ?? usualKeep, '--keep'),
    };
    return { file: '', rotation };
  }
  if (keep !== undefined) throw new UsageError('--keep goes with --folder');
  if (file === undefined || file === '') throw new UsageError('name the file to write; - is standard output');
  if (file === '-' && json)
    throw new UsageError('standard output takes the backup or --json, not both: name a file');
  if (file === '-' && process.stdout.isTTY)
    throw new UsageError('standard output is a terminal: name a file');
  return { file, rotation: null };
}

export function registerBackup(program: Command): void {
  const backup = {
    usage: 'backup [file]',
    summary: 'write the whole database to a file, while servers run',
    examples: [
      'backup pitlane-2030-03-01.backup',
      'backup --folder /var/backups/pitlane --keep 14',
      'backup - | ssh backups.example "cat > pitlane.backup"',
    ],
  };
  verb<BackupOptions>(program, backup, async ([name], options) => {
    const { file, rotation } = targetOf(name, options);
    return withSession(
      async ({ db, clock, config }) => {
        const { backUp } = await import('#operation/backup/back-up.ts');
        const { toStandardOutput, writeNewFile } = await import('#operation/backup/file.ts');
        const { secretKeyMark } = await import('#operation/backup/key-mark.ts');
        const { writeRotated } = await import('#operation/backup/rotation.ts');
        const { secretKeySource } = await import('#base/secret-key.ts');
        const mark = await secretKeyMark(db, config);
        const notes = transferNotes('written');
        const write = (to: Writable, requireRoom?: () => void) => {
          const progress: Progress = (done) => {
            requireRoom?.();
            notes.progress(done);
          };
          return backUp(db, to, { version, secretKeyMark: mark, progress });
        };
        const made = async () => {
          if (rotation !== null) return writeRotated(rotation, stampOf(clock.now()), write);
          const written = await (file === '-' ? toStandardOutput(write) : writeNewFile(file, write));
          return { path: file, written, removed: [] };
        };
        const { path, written: summary, removed } = await made().finally(notes.end);
        note(
          `Keep the secret key (${secretKeySource(config)}) too, in another place: without it webhook secrets and booking links are lost.`,
        );
        const gone = removed.length > 0 ? `; removed ${removed.join(', ')}` : '';
        const text = `backed up ${summary.rows} rows of ${summary.tables} tables`;
        if (path !== '-') {
          const json = { file: path, ...(rotation && { removed }), ...summary };
          return { json, text: `${text} to ${path}${gone}` };
        }
        note(text);
        return null;
      },
      { migrate: false },
    );
  })
    .option('--folder <folder>', 'write a file there that is named by the time, and keep the newest of them')
    .option('--keep <count>', `how many stay in that folder (default: ${usualKeep})`)
    .addHelpText('after', about.trimEnd());
}

/** `20300301T020000Z` */
const stampOf = (time: Date) => time.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
