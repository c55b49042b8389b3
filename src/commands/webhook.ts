/** `pitlane webhook …`: the endpoints of partners, and what is delivered to them. */
import type { Command } from 'commander';
import type { Endpoint, LoggedDelivery } from '#webhooks/operator/store.ts';
import { details, note, table } from './output.ts';
import { type Page, readPage, withPaging } from './paging.ts';
import { withSession } from './session.ts';
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
  };
  verb(webhook, show, ([webhookId = '']) =>
    withSession(async ({ db }) => {
      const { requireEndpoint } = await import('#webhooks/operator/endpoint.ts');
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
        const { changeEndpointStatus } = await import('#webhooks/operator/endpoint.ts');
        return shown(await changeEndpointStatus(db, clock, webhookId, status));
      }),
    );
  }
}

function registerLists(webhook: Command): void {
  const list = {
    usage: 'list',
    summary: 'list the endpoints, newest first',
    examples: ['webhook list', 'webhook list --partner 0198c6a2-…'],
  };
  const listing = verb<Page & { partner?: string }>(webhook, list, (_, options) => {
    const { limit, before } = readPage(options);
    return withSession(async ({ db }) => {
      const { requirePartner } = await import('#partners/require.ts');
      const { listEndpoints } = await import('#webhooks/operator/store.ts');
      const partner = options.partner === undefined ? null : await requirePartner(db, options.partner);
      const page = { partnerId: partner?.partnerId ?? null, before, limit: limit + 1 };
      const { rows, text } = pageOf(await listEndpoints(db, page), limit, (row) => row.webhookId, columns);
      return { json: rows, text };
    });
  });
  withPaging(listing, 'endpoint').option('--partner <partner>', 'of this partner only');

  const deliveries = {
    usage: 'deliveries <webhook>',
    summary: "show an endpoint's deliveries of the last 30 days, newest first",
    examples: ['webhook deliveries 0198f3a2-…', 'webhook deliveries 0198f3a2-… --limit 5 --json'],
  };
  const log = verb<Page>(webhook, deliveries, ([webhookId = ''], options) => {
    const { limit, before } = readPage(options);
    return withSession(async ({ db }) => {
      const { requireEndpoint } = await import('#webhooks/operator/endpoint.ts');
      const { listLogged } = await import('#webhooks/operator/store.ts');
      const { webhookId: id } = await requireEndpoint(db, webhookId);
      const found = await listLogged(db, id, { before, limit: limit + 1 });
      const { rows, text } = pageOf(found, limit, (row) => row.deliveryId, deliveryColumns);
      return { json: rows, text };
    });
  });
  withPaging(log, 'delivery');
}

function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
  shownAs: Readonly<Record<string, (row: Row) => unknown>>,
): { readonly rows: readonly Row[]; readonly text: string } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length > limit && last !== undefined) note(`There are more: --before ${idOf(last)}`);
  return { rows, text: table(rows, shownAs) };
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
  AT: (row: LoggedDelivery) => row.createdAt,
  ACTION: (row: LoggedDelivery) => row.action,
  STATUS: (row: LoggedDelivery) => row.status,
  ATTEMPTS: (row: LoggedDelivery) => row.attempts.length,
  LAST: (row: LoggedDelivery) => row.attempts.at(-1)?.error ?? row.attempts.at(-1)?.responseStatus ?? '',
};
