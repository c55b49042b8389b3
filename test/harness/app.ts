/** The API on a free loopback port, over a database of its own, with recorded gateways and a business clock to move. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

import { buildApp } from '#app.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { Config } from '#base/config.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { Replica } from '#platform/db/replica/replica.ts';
import { atEnd } from './clean-up.ts';
import { recordedContext } from './context.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type DrainOptions, drain } from './drain.ts';
import type { RecordedEmail, RecordedSms } from './gateways.ts';
import { type HttpResponse, type RequestOptions, send } from './http.ts';
import { testLog } from './log.ts';

export type { HttpResponse as Answer, RequestOptions } from './http.ts';

export interface TestApp {
  readonly context: Context;
  readonly url: string;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly sms: RecordedSms;
  readonly email: RecordedEmail;
  /** Moves the business clock on, by seconds, as the sandbox does. */
  advance(seconds: number): void;
  /** Lets time pass for this process: both its clocks go on by seconds. The database's own stays, and so does the time in new ids. */
  pass(seconds: number): void;
  request(method: string, path: string, options?: RequestOptions): Promise<HttpResponse>;
  /** Runs all background work that is due. */
  drain(options?: DrainOptions): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly config?: Partial<Config>;
  /** Gateways to use instead of the recorded ones. */
  readonly gateways?: (context: Context) => Partial<Pick<Context, 'sms' | 'email' | 'outbound' | 'sealing'>>;
  readonly sandbox?: boolean;
  readonly sandboxAlone?: boolean;
  readonly replica?: Replica;
  /** In place of one of the tests' server; it closes itself. */
  readonly database?: TestDatabase;
  /** Opens the app's database, in place of a pool; it closes itself. */
  readonly open?: (url: string) => Promise<Database>;
}

/** Stopped when the test file ends, at the latest. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const real = systemClock();
  let passedMs = 0;
  const later = (at: Date) => new Date(at.getTime() + passedMs);
  const clock: Clock = { ...real, now: () => later(real.now()), machineNow: () => later(real.machineNow()) };
  const recorded = recordedContext({
    db: options.open === undefined ? database.db : await options.open(database.url),
    clock,
    // An internal error is a bug, so it fails the test.
    log: testLog(),
    config: options.config,
    replica: options.replica,
    sandbox: options.sandbox,
    sandboxAlone: options.sandboxAlone,
  });
  const { sms, email } = recorded;
  const context: Context = { ...recorded, ...options.gateways?.(recorded) };
  const app: FastifyInstance = await buildApp(context);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  let closed = false;
  const testApp: TestApp = {
    context,
    url,
    databaseUrl: database.url,
    clock,
    sms,
    email,
    advance: (seconds) => clock.setAdvance(clock.advanceSeconds() + seconds),
    pass: (seconds) => {
      passedMs += seconds * 1000;
    },
    request: (method, path, request) => send(`${url}${path}`, method, request),
    drain: (drainOptions) => drain(context, drainOptions),
    async close() {
      if (closed) return;
      closed = true;
      await app.close();
      await context.outbound.close();
      await database.close();
    },
  };
  atEnd(testApp.close);
  return testApp;
}
