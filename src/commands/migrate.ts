/** `pitlane migrate`: brings the database to the state that this version needs. */
import type { Command } from 'commander';
import { note } from './output.ts';
import { withSession } from './session.ts';
import { verb } from './verb.ts';

export function registerMigrate(program: Command): void {
  const migrate = {
    usage: 'migrate',
    summary: 'apply the migrations that the database lacks; safe to run at any time',
    examples: ['migrate', 'migrate --json'],
  };
  verb(program, migrate, () =>
    withSession(
      async ({ db, config }) => {
        const { migrationsInWords } = await import('#platform/db/migration-names.ts');
        const { migrateWithBackup } = await import('#operation/backup/before-migrations.ts');
        const applied = await migrateWithBackup(db, config, note);
        return {
          json: { applied },
          text: applied.length > 0 ? `applied ${migrationsInWords(applied)}` : 'nothing to apply',
        };
      },
      { migrate: false, create: true },
    ),
  );
}
