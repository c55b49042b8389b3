/** Log lines about the installation when a server starts. */
import type { Context } from '#platform/context.ts';
import type { Admission } from '#platform/key-fingerprint/admit.ts';
import { differingZones } from '#product/workshops/zone-data/differ.ts';

/** Logs the applied steps of `migrate`: migrations have a name and functions a path. */
export function noticeApplied(applied: readonly string[], { log }: Pick<Context, 'log'>): void {
  const { migrations = [], functions = [] } = Object.groupBy(applied, (name) =>
    name.includes('/') ? 'functions' : 'migrations',
  );
  if (migrations.length > 0) log.info({ migrations }, `${migrations.length} migrations were applied`);
  if (functions.length > 0)
    log.info({ functions }, `${functions.length} files of functions and triggers were applied`);
}

/** While the secret key is being changed, processes with the former key and with the new one run side by side. */
export function noticeKey(key: Admission['key'], { log }: Pick<Context, 'log'>): void {
  if (key === 'successor')
    log.info('the secret key is changed: from now on that of this process is the current one');
  if (key === 'former') {
    log.warn(
      'the secret key of this process is a former one: what processes with the current one encrypt can not be read here; set the current one',
    );
  }
}

/** Logs the zones of workshops whose rules PostgreSQL and Node know differently. Never rejects. */
export async function noticeZones({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  try {
    for (const { timezone, message } of await differingZones(db, clock.now())) {
      log.warn({ timezone }, `quiet hours may be wrong: ${message}`);
    }
  } catch (err) {
    log.warn({ err }, 'the zone data of PostgreSQL could not be compared');
  }
}
