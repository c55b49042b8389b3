/** How a connection prepares a statement: under which name, and with which planner settings. */
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

/** SQL: sets the planner settings of a connection, in one round trip. */
export function setsOf(settings: PlanSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ');
}

/** These have no plan. */
const transactionControl = /^(?:BEGIN|COMMIT|ROLLBACK)\b/;
/** The settings that each connection has. */
const told = new WeakMap<PoolClient, PlanSettings>();

/** Sets the planner settings of the statement on the connection, unless it has them already. */
export async function choosePlans(client: PoolClient, text: string, timeoutMs: number): Promise<void> {
  if (transactionControl.test(text)) return;
  const settings = plansOf(text);
  if (told.get(client) === settings) return;
  const all = { text: setsOf(settings), query_timeout: timeoutMs };
  await client.query(all);
  told.set(client, settings);
}

/** Unknown after a rollback, which undoes the settings too. */
export function forgetPlans(client: PoolClient): void {
  told.delete(client);
}
