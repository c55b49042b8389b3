/** What a connection prepares a statement with: its name, and how it is planned. */
import type { PoolClient } from 'pg';
import { type PlanSettings, plansOf } from './plan-modes.ts';

const names = new Map<string, string>();

/** The name that a text is prepared under, on every connection. Texts are constants, so there are no more than the program has. */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** SQL: tells a connection the settings, in one round trip. */
export function setsOf(settings: PlanSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ');
}

/** These have no plan. */
const transactionControl = /^(?:BEGIN|COMMIT|ROLLBACK)$/;
/** What each connection was told last. */
const told = new WeakMap<PoolClient, PlanSettings>();

/** Tells the connection how the statement is planned, unless it was the last that it was told. */
export async function choosePlans(client: PoolClient, text: string, timeoutMs: number): Promise<void> {
  if (transactionControl.test(text)) return;
  const settings = plansOf(text);
  if (told.get(client) === settings) return;
  const all = { text: setsOf(settings), query_timeout: timeoutMs };
  await client.query(all);
  told.set(client, settings);
}

/** Not known after a transaction was rolled back, and the setting with it. */
export function forgetPlans(client: PoolClient): void {
  told.delete(client);
}
