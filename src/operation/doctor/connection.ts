/** Settings that connections lack: behind a pooler they are the role's, and a pooler may keep connections that are older. */
import type { Queryable } from '#platform/db/database.ts';
import { missingSettings } from '#platform/db/session-settings.ts';
import type { Finding } from './finding.ts';

export async function* checkConnection(db: Queryable): AsyncGenerator<Finding> {
  const missing = await missingSettings(db);
  if (missing.length === 0) return;
  const message = `connections through the pooler lack ${missing.join(', ')}: apply the migrations, then RECONNECT in PgBouncer's console`;
  yield { kind: 'connection', workshopId: null, code: null, at: null, message, repaired: false };
}
