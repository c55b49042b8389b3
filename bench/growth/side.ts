/** One of the two installations that are compared: a database, a server of its own, and who asks it. */
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { hashSecret, newAppKey, newSecret } from '#product/partners/secret.ts';
import { insertAppKey } from '#product/partners/store.ts';
import { deskOf } from '../desk.ts';
import { type Caller, signIn } from '../http.ts';
import { type Server, startServer } from '../system.ts';

export interface Side {
  readonly db: Database;
  readonly port: number;
  /** The partner with the most bookings. */
  readonly credentials: Parameters<typeof signIn>[1];
  readonly caller: Caller;
  readonly workshops: number;
  /** The console of a workshop, signed in by rows: turns a path into a request. */
  desk(workshop: number): Promise<(path: string) => string>;
  /** With the worker in place of the API, and back. */
  asWorker<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

interface Place {
  readonly url: string;
  /** For the data folders of both sides. */
  readonly folder: string;
  readonly name: string;
}

export const environment = ({ url, folder, name }: Place) => ({
  DATABASE_URL: url,
  PITLANE_DATA_DIR: join(folder, `data-${name}`),
  PITLANE_DEMO: 'off',
  LOG_LEVEL: 'warn',
  PITLANE_WEBHOOKS_ALLOW_PRIVATE: 'on',
});

/** Makes the tables. */
export async function migrate(place: Place): Promise<void> {
  await (await startServer({ ...environment(place), PITLANE_ROLE: 'api' })).stop();
}

export async function startSide(place: Place): Promise<Side> {
  const env = environment(place);
  const startApi = () => startServer({ ...env, PITLANE_ROLE: 'api', PORT: api ? String(api.port) : '0' });
  let api: Server | undefined;
  api = await startApi();
  const db = openDatabase({ url: place.url, poolSize: 4, applicationName: 'bench' });
  const [first] = await db.query<{ partnerId: string; workshops: number }>(
    'SELECT partner_id, (SELECT count(*)::int FROM growth.workshop) AS workshops FROM growth.workshop WHERE number = 0',
  );
  if (first === undefined) throw new Error('there is nothing in this database');
  const { partnerId, workshops } = first;
  const credentials = { partnerId, appKey: newAppKey(), secret: newSecret() };
  const { appKey: id, secret } = credentials;
  await insertAppKey(db, {
    id,
    partnerId,
    secretHash: await hashSecret(secret),
    at: systemClock().now(),
  });
  return {
    db,
    port: api.port,
    credentials,
    caller: await signIn(api.port, credentials),
    workshops,
    async desk(number) {
      const [workshop] = await db.query<{ workshopId: string; slug: string }>(
        'SELECT w.id AS workshop_id, slug FROM growth.workshop g JOIN workshop w ON w.id = g.id WHERE number = $1',
        [number % workshops],
      );
      if (workshop === undefined) throw new Error(`there is no workshop ${number}`);
      return deskOf(db, workshop);
    },
    async asWorker(work) {
      await api?.stop();
      const worker = await startServer({ ...env, PITLANE_ROLE: 'worker' });
      try {
        return await work();
      } finally {
        await worker.stop();
        api = await startApi();
      }
    },
    async stop() {
      await db.close();
      await api?.stop();
    },
  };
}
