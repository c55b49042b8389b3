/** The API document as the server gives it, with the sandbox: the same text at each call, so that it can be committed. */
import { systemClock } from '#base/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { serveApi } from './api.ts';

/** The database is not queried. */
export async function dumpDocument(db: Database): Promise<string> {
  const app = await serveApi(db, systemClock());
  const { body } = await app.request('GET', '/openapi.json');
  await app.close();
  return `${JSON.stringify(body, null, 2)}\n`;
}
