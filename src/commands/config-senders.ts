/** The findings of `config check` on the senders of workshops, where the database can be asked at once. */
import type { Config } from '#base/config.ts';
import { within } from '#base/within.ts';
import type { SenderFinding } from '#operation/doctor/senders.ts';

const atMostMs = 5_000;

/** Null: no database of these settings answers, or it is of another release; then `doctor` says it later. Nothing is started or changed. */
export async function lookAtSenders(config: Config): Promise<readonly SenderFinding[] | null> {
  const { attachableUrl } = await import('#platform/db/embedded/attachable.ts');
  const url = await attachableUrl(config);
  if (url === null) return null;
  const { openDatabase } = await import('#platform/db/database.ts');
  const { examineSenders } = await import('#operation/doctor/senders.ts');
  const db = openDatabase({ url, directUrl: null, poolSize: 1, applicationName: 'pitlane config check' });
  try {
    return await within(atMostMs, examineSenders(db, config));
  } catch {
    return null;
  } finally {
    await db.close();
  }
}
