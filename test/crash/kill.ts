/** Workers that are killed with messages in flight, and gateways that know what they were given. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import { startSmsProvider } from '../fixtures/sms-provider.ts';
import { startServer } from '../harness/server.ts';
import { untilCount } from './delivery.ts';

export const leftAtLeast = 20;
/** So that a kill finds many messages in flight. */
const slowMs = 200;

export type Env = Readonly<Record<string, string>>;

export interface Gateway {
  readonly env: Env;
  /** Our references of what it has taken. */
  taken(db: Database): Promise<readonly string[]>;
}

export const openAttempts = `SELECT id FROM message_attempt WHERE state = 'sending'`;
export const idsOf = async (db: Database, sql: string, values: readonly unknown[] = []) =>
  (await db.query<{ id: string }>(sql, values)).map(({ id }) => id);

/** Kills a worker when it has handed over that many messages that it could not record; returns their attempts. */
export async function kill(t: TestContext, db: Database, env: Env, gateway: Gateway): Promise<string[]> {
  // Those of the kill before are open until their leases end.
  const open = new Set(await idsOf(db, openAttempts));
  const worker = await startServer(t, env);
  const earlier = `'{${[...open].join()}}'::uuid[]`;
  await untilCount(
    db,
    `SELECT count(*) FROM queued_message WHERE in_flight AND attempt_id <> ALL (${earlier})`,
    (count) => count >= leftAtLeast,
  );
  let left: string[] = [];
  await db.transaction(async (tx) => {
    // From here on nothing is recorded.
    await tx.query('LOCK TABLE message IN SHARE MODE');
    for (let tries = 0; left.length < leftAtLeast; tries++) {
      assert.ok(tries < 400, `only ${left.length} were handed over and not recorded`);
      await pause(25);
      const taken = new Set(await gateway.taken(db));
      left = (await idsOf(db, openAttempts)).filter((id) => taken.has(id) && !open.has(id));
    }
    await worker.end('SIGKILL');
    await tx.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'pitlane %'",
    );
  });
  return left;
}

/** A gateway that can be asked for the outcome of an attempt. */
export function askedGateway(): Gateway {
  return {
    env: { SANDBOX_SMS_LATENCY_MS: `${slowMs}` },
    taken: (db) => idsOf(db, 'SELECT reference AS id FROM sandbox_message'),
  };
}

/** One that can not: Kannel, which takes everything. `references` grows by each hand-over. */
export async function unaskedGateway(): Promise<Gateway & { readonly references: readonly string[] }> {
  const references: string[] = [];
  const kannel = await startSmsProvider((asked, response) => {
    const report = new URL(new URL(asked.url, 'http://kannel').searchParams.get('dlr-url') ?? '');
    references.push(report.searchParams.get('reference') ?? '');
    setTimeout(() => response.writeHead(202).end('0: Accepted for delivery'), slowMs);
  });
  const env = {
    PITLANE_SMS_GATEWAYS: 'kannel',
    PITLANE_PUBLIC_URL: 'http://127.0.0.1:1',
    KANNEL_URL: `${kannel.url}/cgi-bin/sendsms`,
    KANNEL_USERNAME: 'pitlane',
    KANNEL_PASSWORD: 'secret-of-kannel',
    KANNEL_CALLBACK_TOKEN: 'a-token-that-is-long-enough-for-a-callback',
    PITLANE_GATEWAY_CONCURRENCY: 'kannel:40',
  };
  return { env, references, taken: async () => references };
}
