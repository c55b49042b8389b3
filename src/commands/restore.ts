/** `pitlane restore`: a backup, into an empty database. */
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { Config } from '#base/config.ts';
import type { Contents } from '#operation/backup/contents.ts';
import type { HeldBack } from '#operation/backup/hold-back.ts';
import type { Restored } from '#operation/backup/restore.ts';
import type { Summary } from '#operation/backup/summary.ts';
import { migrationsInWords } from '#platform/db/migration-names.ts';
import { type CommandResult, note, printResult } from './output.ts';
import { transferNotes } from './progress.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

const about = `
Restores into an empty database: a new data folder (PITLANE_DATA_DIR), which is made, or a new database of your own
(DATABASE_URL). Stop servers and workers of it first. A file is read twice, and checked before anything is written; the rows are
written in one transaction. "-" is standard input. Give the new installation the secret key of the old one.

Nobody gets anything twice: what waited to be sent when the backup was made may have been sent since, so it is held back.
Messages that waited are dead letters with the reason "restored" (dead-letter list, retry and discard with --reason restored);
automations, service reminders and texts for later that have fallen due since are not sent; blasts are paused. With --send-waiting all of that is
sent: only when the old installation was stopped before the backup was made, and stays stopped, as in a move.
`;

interface RestoreFlags {
  readonly check?: true;
  readonly sendWaiting?: true;
}

export function registerRestore(program: Command): void {
  const restoring = {
    usage: 'restore <file>',
    summary: 'restore a backup into an empty database',
    examples: [
      'restore pitlane-2030-03-01.backup --check',
      'restore pitlane-2030-03-01.backup',
      'restore moved.backup --send-waiting',
    ],
  };
  verb<RestoreFlags>(program, restoring, async ([file = ''], { check, sendWaiting = false }) => {
    if (file === '') throw new UsageError('name the file to read; - is standard input');
    const name = file === '-' ? 'standard input' : file;
    const { openFile } = await import('#operation/backup/file.ts');
    const open = (): Readable => (file === '-' ? process.stdin : openFile(file));
    if (check || file !== '-') {
      const summary = await examine(open(), name);
      if (check) return { json: summary, text: `${name} is whole: ${textOf(summary)}` };
    }
    const contents = await begun(open(), name);
    // A data folder is made only for a backup that can be restored.
    return withSession((session) => restoreInto(session, contents, sendWaiting), {
      migrate: false,
      create: true,
    });
  })
    .option('--check', 'read all of the file, say what it holds, and change nothing')
    .option(
      '--send-waiting',
      'send what waited; for a move, of an installation that was stopped before the backup',
    )
    .addHelpText('after', about.trimEnd());
}

async function begun(stream: Readable, name: string): Promise<Contents> {
  const { openContents } = await import('#operation/backup/contents.ts');
  const { requireMigrations } = await import('#operation/backup/restore.ts');
  const contents = await openContents({ stream, name });
  await requireMigrations(contents.manifest);
  return contents;
}

async function examine(stream: Readable, name: string): Promise<Summary> {
  const contents = await begun(stream, name);
  const { progress, end } = transferNotes('checked');
  return contents.read(async () => undefined, progress).finally(end);
}

async function restoreInto(
  { db, clock, config }: Session,
  contents: Contents,
  sendWaiting: boolean,
): Promise<CommandResult> {
  const { MigrationsPending, restore } = await import('#operation/backup/restore.ts');
  // Before anything is written: a key file that can't be read is a failure.
  const secretKey = await compareKeys(config, contents);
  const answer = (restored: Shown): CommandResult => {
    if (secretKey !== 'same') note(keyMissing(secretKey));
    return { json: { ...restored, secretKey }, text: describe(restored) };
  };
  const { progress, end } = transferNotes('restored');
  try {
    return answer(await restore(db, contents, { sendWaiting, progress, clock }).finally(end));
  } catch (error) {
    if (error instanceof MigrationsPending) {
      printResult(answer(error.restored));
    }
    throw error;
  }
}

/** Without what was applied when a migration failed: some may have been. */
type Shown = Omit<Restored, 'applied'> & Partial<Pick<Restored, 'applied'>>;

type KeyState = 'same' | 'other' | 'absent';

async function compareKeys(config: Config, { manifest }: Contents): Promise<KeyState> {
  const { keyFingerprints } = await import('#base/secret-key.ts');
  const own = keyFingerprints(config);
  // Without a key nothing was encrypted.
  if (manifest.secretKeyMark === null) return 'same';
  if (own === null) return 'absent';
  return [own.current, ...own.former].includes(manifest.secretKeyMark) ? 'same' : 'other';
}

function keyMissing(state: KeyState): string {
  const what =
    state === 'other'
      ? 'The secret key here is another than that of the backup'
      : 'There is no secret key here yet';
  return `${what}: before the first start, set PITLANE_SECRET_KEY to the old one, or copy the old file secret-key into the data folder. Without it webhook secrets and booking links can't be read, and no server starts; when it is lost: pitlane secret-key replace.`;
}

const textOf = ({ rows, tables, createdAt, pitlane, server, migration }: Summary) =>
  `${rows} rows of ${tables} tables, of ${createdAt}, by Pitlane ${pitlane} from PostgreSQL ${server} (${migration})`;

const heldNames: Readonly<Record<keyof HeldBack, string>> = {
  events: 'events (dead letters)',
  messages: 'messages (dead letters, where their kind has them)',
  automationRuns: 'runs of automations (skipped)',
  blasts: 'blasts (paused)',
  reminders: 'service reminders (cancelled)',
  scheduledTexts: 'texts for later (failed, in their conversations)',
  answers: 'answers without a digest (see inbox list --unanswered)',
  disablements: 'e-mails about disabled webhooks (see webhook list)',
  sessions: 'sessions (people sign in again)',
};

function describe(restored: Shown): string {
  const { heldBack, applied = [] } = restored;
  const held = Object.entries(heldBack ?? {}).filter(([, count]) => count > 0);
  return [
    `restored ${textOf(restored)}`,
    ...(applied.length > 0 ? [`applied ${migrationsInWords(applied)}`] : []),
    heldBack === null
      ? 'what waited is sent once a worker runs'
      : held.length === 0
        ? 'nothing waited'
        : 'held back:',
    ...held.map(([name, count]) => `  ${count} ${heldNames[name as keyof HeldBack]}`),
  ].join('\n');
}
