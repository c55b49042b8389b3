/** The installation that several benches share in turn: one data folder with one database, one partner and one workshop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { type Caller, signIn } from './http.ts';
import { type Server, startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

export interface Installation {
  /** What its server was started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly server: Server;
  readonly url: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly made: Awaited<ReturnType<typeof makeWorkshop>>;
}

/** Differs from the one that runs: it is stopped first. */
interface Wanted {
  readonly env?: Readonly<Record<string, string>>;
  /** Connections of the bench. */
  readonly poolSize?: number;
}

export interface SharedInstallation {
  readonly dataDir: string;
  /** Running as wanted: the API alone, unless the environment says otherwise. */
  running(wanted?: Wanted): Promise<Installation>;
  /** Signs the partner in. */
  caller(): Promise<Caller>;
  /** The data stay. */
  stop(): Promise<void>;
}

/** Starts when it is first asked for; its folder goes with the process. */
export function sharedInstallation(): SharedInstallation {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const clock = systemClock();
  let made: Installation['made'] | undefined;
  let current: { installation: Installation; key: string; end: () => Promise<void> } | undefined;

  async function start(
    env: Readonly<Record<string, string>>,
    poolSize: number,
  ): Promise<{ installation: Installation; end: () => Promise<void> }> {
    const server = await startServer(env);
    const embedded = await borrowEmbedded({ dataDir });
    const { url } = embedded;
    const db = openDatabase({ url, poolSize, applicationName: 'bench' });
    made ??= await makeWorkshop(db, clock);
    return {
      installation: { env, server, url, db, clock, made },
      async end() {
        await db.close();
        await server.stop();
        await embedded.stop();
      },
    };
  }

  async function stop(): Promise<void> {
    await current?.end();
    current = undefined;
  }

  async function running({ env: more = {}, poolSize = 60 }: Wanted = {}): Promise<Installation> {
    const env = {
      ...{ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' },
      ...more,
    };
    const key = JSON.stringify([env, poolSize]);
    if (current?.key !== key) {
      await stop();
      current = { ...(await start(env, poolSize)), key };
    }
    return current.installation;
  }

  return {
    dataDir,
    running,
    stop,
    async caller() {
      const { server, made: its } = current?.installation ?? (await running());
      return signIn(server.port, its.credentials);
    },
  };
}
