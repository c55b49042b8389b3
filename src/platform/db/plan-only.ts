/** Has a connection parse and plan statements without running them: they are as quick as on one that ran them before. */
import type { PoolClient, QueryConfig, Submittable } from 'pg';
import { plansOf } from './plan-modes.ts';
import { forgetPlans, nameOf, setsOf } from './prepared.ts';
import { isPooled } from './session-settings.ts';

const timeoutMs = 5_000;

/** Nothing is read or written. Behind a pooler it does nothing. Rejects when a statement can't be parsed. */
export async function planOnly(client: PoolClient, texts: Iterable<string>): Promise<void> {
  if (isPooled(client)) return;
  forgetPlans(client);
  let has = '';
  for (const text of texts) {
    // PostgreSQL chooses how to plan a statement by what its first plans cost: one for these values, which no run has, would mislead it.
    const settings = setsOf({ ...plansOf(text), plan_cache_mode: 'force_generic_plan' });
    if (settings !== has) await client.query({ text: settings, query_timeout: timeoutMs } as QueryConfig);
    has = settings;
    await parse(client, nameOf(text), text);
    const values = Array.from({ length: parametersOf(text) }, () => 'NULL').join(', ');
    const explain = `EXPLAIN (COSTS OFF) EXECUTE ${nameOf(text)}${values && ` (${values})`}`;
    await client.query({ text: explain, values: [], query_timeout: timeoutMs } as QueryConfig);
  }
}

const parametersOf = (text: string) =>
  Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));

/** The parts of the driver's connection that it does not declare. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  sync(): void;
}

/** The driver keeps the name as parsed. */
function parse(client: PoolClient, name: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | null = null;
    const submitted = {
      ...{ name, text },
      submit(wire: Wire) {
        if (!Object.hasOwn(wire.parsedStatements, name)) wire.parse({ name, text });
        wire.sync();
      },
      handleError(error: Error) {
        failed = error;
        reject(error);
      },
      handleReadyForQuery: () => failed ?? resolve(),
    };
    client.query(submitted as unknown as Submittable);
  });
}
