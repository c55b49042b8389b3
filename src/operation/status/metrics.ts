/** Gauges of the database's backlog, for Prometheus. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Context } from '#platform/context.ts';
import { type GatewayWorkers, gatewayWorkers, type WorkBacklog, workBacklog } from '#platform/work/store.ts';
import { type Bounces, bounceCounts } from '#product/sending/bounce/store.ts';
import {
  type UsedUpPages,
  usedUpPages,
  type WaitingDeliveries,
  type WaitingMessages,
  waitingDeliveries,
  waitingMessages,
} from './store.ts';

/** The function reads the backlog and sets the gauges; when the database can't be read they are NaN. */
export function measureBacklog(context: Context, registry: Registry): () => Promise<void> {
  const { db, log } = context;
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const events = gauge('pitlane_events_waiting', 'Events that wait for the relay');
  const oldestEvent = gauge(
    'pitlane_oldest_event_seconds',
    'Age of the oldest event that waits for the relay',
  );
  const deadLetters = gauge('pitlane_dead_letters', 'Work that was given up and waits for an operator');
  const labelNames = ['channel', 'route'] as const;
  const messages = new Gauge({
    name: 'pitlane_messages_waiting',
    help: 'Queued messages, waiting or in flight, by channel and route',
    labelNames,
    registers,
  });
  const oldestMessage = new Gauge({
    name: 'pitlane_oldest_message_seconds',
    help: 'Age of the oldest queued message',
    labelNames,
    registers,
  });
  const deliveries = gauge(
    'pitlane_webhook_deliveries_waiting',
    'Webhook deliveries that wait for enabled endpoints',
  );
  const oldestDelivery = gauge(
    'pitlane_oldest_webhook_delivery_seconds',
    'Age of the oldest webhook delivery that waits for an enabled endpoint',
  );
  const disabledEndpoints = gauge(
    'pitlane_webhook_endpoints_disabled',
    'Webhook endpoints that are disabled',
  );
  const usedUp = gauge(
    'pitlane_pages_without_sms',
    'Workshops whose pages have used up their SMS of the hour, so that e-mails alone go out',
  );

  const workers = new Gauge({
    name: 'pitlane_gateway_workers',
    help: 'Live workers, by gateway and state of its circuit breaker: closed (it works), open (it fails), halfOpen (it is probed)',
    labelNames: ['gateway', 'breaker'],
    registers,
  });

  const bounces = new Counter({
    name: 'pitlane_bounces_total',
    help: 'Bounces of e-mails, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const bouncedAddresses = gauge(
    'pitlane_bounced_addresses',
    'Customers whose e-mail address bounced for good: they get no e-mail',
  );

  function setGauges(
    backlog: WorkBacklog | null,
    sends: readonly WaitingMessages[] | null,
    webhooks: WaitingDeliveries | null,
    pages: readonly UsedUpPages[] | null,
    seen: readonly GatewayWorkers[],
    mail: Bounces | null,
  ): void {
    bouncedAddresses.set(mail?.addresses ?? Number.NaN);
    bounces.reset();
    for (const { outcome, count } of mail?.byOutcome ?? []) bounces.inc({ outcome }, count);
    deliveries.set(webhooks?.count ?? Number.NaN);
    oldestDelivery.set(webhooks?.oldestSeconds ?? Number.NaN);
    disabledEndpoints.set(webhooks?.disabledEndpoints ?? Number.NaN);
    usedUp.set(pages?.length ?? Number.NaN);
    events.set(backlog?.eventsWaiting ?? Number.NaN);
    oldestEvent.set(backlog?.oldestEventSeconds ?? Number.NaN);
    deadLetters.set(backlog?.deadLetters ?? Number.NaN);
    workers.reset();
    for (const { workers: count, ...labels } of seen) workers.set(labels, count);
    messages.reset();
    oldestMessage.reset();
    for (const { labels, count, oldestSeconds } of byRoute(context, sends)) {
      messages.set(labels, count);
      oldestMessage.set(labels, oldestSeconds);
    }
  }

  return async () => {
    try {
      setGauges(
        await workBacklog(db),
        await waitingMessages(db),
        await waitingDeliveries(db),
        await usedUpPages(db),
        await gatewayWorkers(db),
        await bounceCounts(db),
      );
    } catch (err) {
      log.warn({ err }, 'the backlog could not be read');
      setGauges(null, null, null, null, [], null);
    }
  };
}

interface OfRoute {
  readonly labels: { readonly channel: 'sms' | 'email'; readonly route: string };
  readonly count: number;
  readonly oldestSeconds: number;
}

/** The installation's routes always have a value, so that an alert can tell 0 from no data. */
function byRoute({ sms, email }: Context, sends: readonly WaitingMessages[] | null): Iterable<OfRoute> {
  const number = sends === null ? Number.NaN : 0;
  const routes = new Map<string, OfRoute>();
  function add(named: string, count: number, oldestSeconds: number): void {
    const channel = named === 'email' ? 'email' : 'sms';
    const route = channel === 'email' ? email.name : named.replace(/^sms:?/, '') || sms.name;
    // A workshop's route may equal the installation's.
    const before = routes.get(`${channel} ${route}`);
    routes.set(`${channel} ${route}`, {
      labels: { channel, route },
      count: (before?.count ?? 0) + count,
      oldestSeconds: Math.max(before?.oldestSeconds ?? 0, oldestSeconds),
    });
  }
  for (const channel of ['sms', 'email']) add(channel, number, number);
  for (const { route, count, oldestSeconds } of sends ?? []) add(route, count, oldestSeconds);
  return routes.values();
}
