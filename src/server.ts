/** One process of Pitlane: config → database → context → API and worker → until a signal. */
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { systemClock } from './base/clock.ts';
import { allowsDemo } from './base/config/demo.ts';
import { isSandboxAlone } from './base/config/sandbox.ts';
import { requireServable } from './base/config/servable.ts';
import { ConfigError } from './base/config/setting.ts';
import type { Config } from './base/config.ts';
import { createLog, standardOutput } from './base/log.ts';
import { chooseGateways } from './gateways.ts';
import { migrateWithBackup } from './operation/backup/before-migrations.ts';
import { loggedOutlets, startedJson, startedLine, startedPage } from './operation/banner.ts';
import { ensureDemoDay } from './operation/demo/day.ts';
import { demoBookingPath, ensureDemo } from './operation/demo/demo.ts';
import { demoSignInPath, ensureDemoStaff } from './operation/demo/people.ts';
import { stopOnSignals } from './operation/launcher.ts';
import { noticeApplied, noticeKey, noticeZones } from './operation/start-notices.ts';
import type { Context } from './platform/context.ts';
import { followBusinessClock } from './platform/db/business-clock-follower.ts';
import { type Database, openDatabase } from './platform/db/database.ts';
import { type Embedded, endedEarly, startEmbedded } from './platform/db/embedded/embedded.ts';
import { usualWithEmbedded } from './platform/db/pool.ts';
import { rehearsable } from './platform/db/rehearsal.ts';
import { followReplica } from './platform/db/replica/follow.ts';
import { openReplica, type Replica } from './platform/db/replica/replica.ts';
import { admitServer } from './platform/key-fingerprint/admit.ts';
import { smsListener } from './product/gateway-callbacks/listener.ts';
import type { Worker } from './worker.ts';

/** A longer stop is aborted. */
const stopWithinMs = 25_000;

type Step = () => Promise<unknown>;

export interface ServeOptions {
  /** Prints one JSON object instead of the page, and keeps the log out of its way. */
  readonly json: boolean;
  /** The warnings of `pitlane config check`. */
  readonly warnings: readonly string[];
  /** The file that settings were read from; null when there is none. */
  readonly settingsFile: string | null;
}

/** Serves until a signal; resolves after a clean stop. Rejects, with everything closed again, when it can't start. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  requireServable(config);
  const log = createLog(config.logLevel, await logOutput(config, options));
  // The opened resources, closed in reverse order.
  const opened: Step[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const step of opened.splice(0).reverse()) await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const { ended, announce } = await start(config, log, options, opened);
    keepHeapSmall();
    await new Promise<void>((resolve, reject) => {
      stopOnSignals(() => {
        log.info('stopping: what is under way is finished first');
        resolve();
      });
      // Whoever reads that it is ready may stop it at once.
      announce();
      ended.then(() => reject(endedEarly(config.dataDir))).catch(reject);
    });
  } catch (error) {
    // Errors of closing are consequences: the first error is reported.
    await close().catch(() => undefined);
    throw error;
  }
  const tooLong = setTimeout(() => process.exit(1), stopWithinMs);
  await close();
  clearTimeout(tooLong);
  log.info('stopped');
}

/**
 * The heap is collected when it is twice as large as what was in use. V8 by itself first waits for 160 MiB, and gives them back late. At half
 * as much again a booking with its notices takes 7 % more of Node's CPU; at twice nothing that could be measured. Only once the modules are
 * loaded: what was compiled before under other flags is not used, so a start would take a tenth more of a core.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}

/** Lines for people on a terminal, where the settings say nothing else; else JSON. */
function isLogJson({ logFormat }: Config, { json }: ServeOptions): boolean {
  const { isTTY } = json ? process.stderr : process.stdout;
  return logFormat === 'json' || (logFormat === 'auto' && !isTTY);
}

async function logOutput(config: Config, options: ServeOptions): Promise<DestinationStream> {
  const output = standardOutput(options.json ? 2 : 1);
  if (isLogJson(config, options)) return output;
  const { readable } = await import('./base/readable-log.ts');
  return readable(output);
}

async function start(
  config: Config,
  log: Logger,
  options: ServeOptions,
  opened: Step[],
): Promise<{ ended: Promise<void>; announce: () => void }> {
  const { json, warnings, settingsFile } = options;
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ dataDir: config.dataDir, notice: (line) => log.info(line) })
      : null;
  if (embedded) opened.push(() => embedded.stop());
  const { db, onStage } = rehearsable(
    openDatabase({
      url: config.databaseUrl ?? urlOf(embedded),
      directUrl: config.databaseDirectUrl,
      poolSize: config.databasePoolSize,
      usualConnections: embedded === null ? undefined : usualWithEmbedded,
      applicationName: `pitlane ${config.role}`,
    }),
  );
  opened.push(() => db.close());
  noticeApplied(await migrateWithBackup(db, config, (line) => log.info(line)), { log });
  // After PostgreSQL, whose errors about a data folder are more precise. The key is made at the first start, so that it is there to be
  // backed up before anything is encrypted with it.
  const { key, sealing } = await admitServer(db, config);
  noticeKey(key, { log });

  const clock = systemClock();
  opened.push(await followBusinessClock(db, clock, log));
  if (clock.advanceSeconds() > 0 && !isSandboxAlone(config)) {
    log.warn(
      { aheadSeconds: clock.advanceSeconds() },
      'the business clock is ahead of the machine, by moves of the sandbox; set it right with: pitlane clock reset',
    );
  }
  // Runs in parallel with the rest of the start.
  const zones = noticeZones({ db, clock, log });
  opened.push(() => zones);
  const mayHaveDemo = embedded !== null && allowsDemo(config);
  const demo = mayHaveDemo && config.demo ? await ensureDemo({ db, clock }) : null;
  if (demo !== null) await ensureDemoStaff({ db, clock });

  const gateways = await chooseGateways(config, db, clock, log);
  opened.push(async () => {
    await Promise.all([gateways.email.close(), gateways.sms.close?.(), gateways.outbound.close()]);
  });
  let worker: Worker | null = null;
  const replica = openReplicaFor(config, db, log);
  if (replica !== null) {
    opened.push(() => replica.close());
    opened.push(followReplica(replica));
  }
  const context: Context = {
    config,
    db,
    replica,
    clock,
    log,
    sealing,
    ...gateways,
    nudgeRelay: () => worker?.nudgeRelay(),
    nudgeSender: () => worker?.nudgeSender(),
  };
  let port: number | null = null;
  // API and worker stop at the same time: each may have to wait for a gateway.
  const serving: Step[] = [];
  opened.push(async () => {
    const ends = await Promise.allSettled(serving.map((end) => end()));
    const failure = ends.find((each) => each.status === 'rejected');
    if (failure) throw failure.reason;
  });
  let app: FastifyInstance | null = null;
  if (config.role !== 'worker') {
    const { buildApp } = await import('./app.ts');
    const built = await buildApp(context);
    serving.push(() => built.close());
    app = built;
  }
  if (config.warmUp) {
    const { warmUp } = await import('./warm-up/warm-up.ts');
    await warmUp({ onStage, context, app, sends: config.role !== 'api' });
  }
  if (app !== null) port = await listen(app, config);
  if (config.role !== 'api') {
    const { startWorker } = await import('./worker.ts');
    const begun = await startWorker(context);
    worker = begun;
    serving.push(() => begun.stop());
  }
  // Last, since reports and answers may arrive from now on, and everything that records them runs.
  gateways.sms.start?.(smsListener(context));
  const bookingPath = demo && (await demoBookingPath(context, demo));
  if (demo !== null) await makeDemoDay(context);
  const signInPath = demo && port !== null ? await demoSignInPath(db) : null;
  const isEmbedded = embedded !== null;
  const started = { context, port, demo, bookingPath, signInPath, isEmbedded, warnings, settingsFile };
  const announce = () => {
    if (json) process.stdout.write(startedJson(started));
    else if (port !== null && !isLogJson(config, options)) process.stdout.write(startedPage(started));
    else {
      for (const warning of warnings) log.warn(warning);
      const { fields, message } = startedLine(started);
      if (port === null) log.info(loggedOutlets(config), 'the worker runs');
      else log.info(fields, message);
    }
  };
  return { ended: embedded?.ended ?? new Promise(() => undefined), announce };
}

/** Workers read nothing that may be old. */
function openReplicaFor(config: Config, primary: Database, log: Logger): Replica | null {
  const { databaseReplicaUrl: url, role } = config;
  if (url === null || role === 'worker') return null;
  return openReplica({ url, primary, log, applicationName: `pitlane ${role} replica` });
}

/** A start does not fail for want of a picture of the day. */
async function makeDemoDay(context: Context): Promise<void> {
  await ensureDemoDay(context).catch((err) => context.log.warn({ err }, "the demo's day could not be made"));
}

function urlOf(embedded: Embedded | null): string {
  if (embedded === null) throw new Error('there is no database');
  return embedded.url;
}

/** Resolves to the port; throws ConfigError when host and port are not available. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `port ${port} on ${host} is in use: stop what uses it, or choose another with PORT`
        : `can't listen on ${host} port ${port} (${code}): check HOST and PORT`,
    );
  }
  return (app.server.address() as AddressInfo).port;
}
