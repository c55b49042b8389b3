/** `pitlane backup`: the whole database in one file. */

import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { version } from '#version.ts';
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
`;

export function registerBackup(program: Command): void {
  const backup = {
    usage: 'backup <file>',
    summary: 'write the whole database to a file, while servers run',
    examples: ['backup pitlane-2030-03-01.backup', 'backup - | ssh backups.example "cat > pitlane.backup"'],
  };
  verb<{ json?: true }>(program, backup, async ([file = ''], { json }) => {
    if (file === '') throw new UsageError('name the file to write; - is standard output');
    if (file === '-' && json)
      throw new UsageError('standard output takes the backup or --json, not both: name a file');
    if (file === '-' && process.stdout.isTTY)
      throw new UsageError('standard output is a terminal: name a file');
    return withSession(
      async ({ db, config }) => {
        const { backUp } = await import('#backup/back-up.ts');
        const { toStandardOutput, writeNewFile } = await import('#backup/file.ts');
        const { keyFingerprints, secretKeySource } = await import('#secret-key.ts');
        const { readNamedKey } = await import('#key-fingerprint/store.ts');
        const { progress, end } = transferNotes('written');
        // Of the database rather than of these settings, which may be those of another machine.
        const key = (await readNamedKey(db)) ?? keyFingerprints(config);
        const options = { version, secretKeyMark: key?.current ?? null, progress };
        const write = (to: Writable) => backUp(db, to, options);
        const summary = await (file === '-' ? toStandardOutput(write) : writeNewFile(file, write)).finally(
          end,
        );
        note(
          `Keep the secret key (${secretKeySource(config)}) too, in another place: without it webhook secrets and booking links are lost.`,
        );
        const text = `backed up ${summary.rows} rows of ${summary.tables} tables${file === '-' ? '' : ` to ${file}`}`;
        if (file !== '-') return { json: { file, ...summary }, text };
        note(text);
        return null;
      },
      { migrate: false },
    );
  }).addHelpText('after', about.trimEnd());
}
