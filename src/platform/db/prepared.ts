/** What a connection prepares a statement with: its name, and how it is planned. */
import type { PoolClient } from 'pg';
import { type PlanMode, planModeOf, settingsOf } from './plan-modes.ts';

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

/** These have no plan. */
const transactionControl = /^(?:BEGIN|COMMIT|ROLLBACK)$/;
/** What each connection was told last. */
const planModes = new WeakMap<PoolClient, PlanMode>();

/** Tells the connection how the statement is planned, unless it was the last that it was told. */
export async function choosePlans(client: PoolClient, text: string, timeoutMs: number): Promise<void> {
  if (transactionControl.test(text)) return;
  const mode = planModeOf(text);
  if (planModes.get(client) === mode) return;
  const settings = Object.entries(settingsOf(mode)).map(([name, value]) => `SET ${name} = ${value}`);
  const both = { text: settings.join('; '), query_timeout: timeoutMs };
  await client.query(both);
  planModes.set(client, mode);
}

/** Not known after a transaction was rolled back, and the setting with it. */
export function forgetPlans(client: PoolClient): void {
  planModes.delete(client);
}
