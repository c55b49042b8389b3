/** The state of each configured gateway for operators: its circuit breakers, waiting messages, and its last failure. */
import type { Queryable } from '#platform/db/database.ts';
import { type GatewayError, lastGatewayErrors, listWorkers, waitingMessages } from './store.ts';

export interface GatewaySeen {
  readonly gateway: string;
  /** How many workers report each state of its circuit breaker: `closed` (works), `open` (does not), `halfOpen` (is probed). */
  readonly breakers: Readonly<Record<string, number>>;
  readonly inFlight: number;
  /** Messages whose first gateway this is, and the age of the oldest. */
  readonly backlog: number;
  readonly oldestSeconds: number;
  readonly lastError: Omit<GatewayError, 'gateway'> | null;
}

/** `sms` names the SMS gateways in the order in which they are tried, then those of workshops alone; `email` the mail server's. */
export async function readGateways(
  db: Queryable,
  { sms, usual, email }: { sms: readonly string[]; usual: readonly string[]; email: string | null },
): Promise<GatewaySeen[]> {
  const [workers, waiting, errors] = [
    await listWorkers(db),
    await waitingMessages(db),
    await lastGatewayErrors(db),
  ];
  const firstOf = (route: string) => {
    if (route === 'email') return email;
    return route.startsWith('sms:') ? (route.slice(4).split(',')[0] ?? null) : (usual[0] ?? null);
  };
  return [...sms, ...(email === null ? [] : [email])].map((gateway) => {
    const seen = workers.flatMap(({ gateways }) => gateways).filter((limiter) => limiter.gateway === gateway);
    const here = waiting.filter(({ route }) => firstOf(route) === gateway);
    const [latest] = errors
      .filter((error) => error.gateway.split(',').includes(gateway))
      .toSorted((one, other) => other.at.getTime() - one.at.getTime());
    return {
      gateway,
      breakers: Object.fromEntries(
        [...Map.groupBy(seen, ({ breaker }) => breaker)].map(([breaker, { length }]) => [breaker, length]),
      ),
      inFlight: seen.reduce((sum, { inFlight }) => sum + inFlight, 0),
      backlog: here.reduce((sum, { count }) => sum + count, 0),
      oldestSeconds: Math.max(0, ...here.map(({ oldestSeconds }) => Math.round(oldestSeconds))),
      lastError: latest ? { reason: latest.reason, detail: latest.detail, at: latest.at } : null,
    };
  });
}
