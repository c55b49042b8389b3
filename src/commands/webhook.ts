/** `pitlane webhook …`: the endpoints of partners, and their deliveries. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { Endpoint, LoggedDelivery } from '#product/webhooks/operator/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { group, verb } from './verb.ts';

export function registerWebhook(program: Command): void {
  const webhook = group(program, 'webhook', 'endpoints of partners, and what is delivered to them', [
    'webhook list',
    'webhook deliveries 0198f3a2-…',
  ]);
  registerLists(webhook);

  const show = {
    usage: 'show <webhook>',
    summary: 'show an endpoint',
    examples: ['webhook show 0198f3a2-…'],
    times: true,
  };
  verb(webhook, show, ([webhookId = '']) =>
    withSession(async ({ db }) => {
      const { requireEndpoint } = await import('#product/webhooks/operator/store.ts');
      return shown(await requireEndpoint(db, webhookId));
    }),
  );

  for (const [name, status, summary] of [
    ['enable', 'enabled', 'enable an endpoint, whoever disabled it: what waits is delivered'],
    ['disable', 'disabled', 'disable an endpoint; its partner can not enable it again'],
  ] as const) {
    const spec = { usage: `${name} <webhook>`, summary, examples: [`webhook ${name} 0198f3a2-…`] };
    verb(webhook, spec, ([webhookId = '']) =>
      withSession(async ({ db, clock }) => {
        const { changeEndpointStatus } = await import('#product/webhooks/operator/endpoint.ts');
        return shown(await changeEndpointStatus({ db, clock }, webhookId, status, actors.operator));
      }),
    );
  }
}

function registerLists(webhook: Command): void {
  list<Endpoint, { partner?: string }>(webhook, {
    usage: 'list',
    summary: 'list the endpoints, the newest first',
    examples: ['webhook list', 'webhook list --partner 0198c6a2-…'],
    what: 'endpoint',
    cursor: 'before',
    columns,
    cursorOf: ({ webhookId }) => webhookId,
    async open({ db }, _, { partner: named }) {
      const { requirePartner } = await import('#product/partners/store.ts');
      const { listEndpoints } = await import('#product/webhooks/operator/store.ts');
      const partnerId = named === undefined ? null : (await requirePartner(db, named)).partnerId;
      return ({ cursor: before, limit }) => listEndpoints(db, { partnerId, before, limit });
    },
  }).option('--partner <partner>', 'of this partner only');

  list<LoggedDelivery>(webhook, {
    usage: 'deliveries <webhook>',
    summary: "show an endpoint's deliveries of the last 30 days, the newest first",
    examples: ['webhook deliveries 0198f3a2-…', 'webhook deliveries 0198f3a2-… --limit 5 --json'],
    what: 'delivery',
    cursor: 'before',
    columns: deliveryColumns,
    cursorOf: ({ deliveryId }) => deliveryId,
    async open({ db }, [webhookId = '']) {
      const { requireEndpoint } = await import('#product/webhooks/operator/store.ts');
      const { listLogged } = await import('#product/webhooks/operator/store.ts');
      const { webhookId: id } = await requireEndpoint(db, webhookId);
      return ({ cursor: before, limit }) => listLogged(db, id, { before, limit });
    },
  });
}

const shown = (endpoint: Endpoint) => ({ json: endpoint, text: details({ ...endpoint }) });

const statusOf = ({ status, disabledReason }: Endpoint) =>
  disabledReason === null ? status : `${status} (${disabledReason})`;

const columns = {
  WEBHOOK: (row: Endpoint) => row.webhookId,
  PARTNER: (row: Endpoint) => row.partner,
  URL: (row: Endpoint) => row.url,
  STATUS: statusOf,
  WAITING: (row: Endpoint) => row.waiting,
  FAILURES: (row: Endpoint) => row.failures,
};

const deliveryColumns = {
  DELIVERY: (row: LoggedDelivery) => row.deliveryId,
  AT: (row: LoggedDelivery) => at(row.createdAt),
  ACTION: (row: LoggedDelivery) => row.action,
  STATUS: (row: LoggedDelivery) => row.status,
  ATTEMPTS: (row: LoggedDelivery) => row.attempts.length,
  LAST: (row: LoggedDelivery) => row.attempts.at(-1)?.error ?? row.attempts.at(-1)?.responseStatus ?? '',
};
