/** `pitlane partner …`: the partners that may call the API, and their keys. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { Credentials } from '#product/partners/create.ts';
import type { Partner } from '#product/partners/store.ts';
import { type CommandResult, details, note } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { group, verb } from './verb.ts';

export function registerPartner(program: Command): void {
  const partner = group(program, 'partner', 'partners: the callers of the API, and their app keys', [
    'partner create --name "Example Fleet"',
    'partner list',
    'partner key --help',
  ]);

  const create = {
    usage: 'create',
    summary: 'create a partner with its first app key; the secret is shown once',
    examples: ['partner create --name "Example Fleet"', 'partner create --name "Example Fleet" --json'],
  };
  verb<{ name: string }>(partner, create, (_, { name }) =>
    withSession(async ({ db, clock }) => {
      const { createPartner } = await import('#product/partners/create.ts');
      return shownOnce(await createPartner({ db, clock }, name, actors.operator));
    }),
  ).requiredOption('--name <name>', 'what people call the partner (required)');

  list<Partner>(partner, {
    usage: 'list',
    summary: 'list the partners, the oldest first',
    examples: ['partner list', 'partner list --all --json'],
    what: 'partner',
    cursor: 'after',
    columns,
    cursorOf: ({ partnerId }) => partnerId,
    async open({ db }) {
      const { listPartners } = await import('#product/partners/store.ts');
      return ({ cursor, limit }) => listPartners(db, cursor, limit);
    },
  });

  const show = {
    usage: 'show <partner>',
    summary: 'show a partner, its app keys and features',
    examples: ['partner show 0198c6a2-…'],
    times: true,
  };
  verb(partner, show, ([partnerId = '']) =>
    withSession(async ({ db }) => {
      const { requirePartner } = await import('#product/partners/store.ts');
      const found = await requirePartner(db, partnerId);
      return { json: found, text: details({ ...found }) };
    }),
  );

  const set = {
    usage: 'set <partner>',
    summary: 'set where notices to a partner go, such as of a webhook endpoint that was disabled',
    examples: ['partner set 0198c6a2-… --email it@fleet.example', "partner set 0198c6a2-… --email ''"],
  };
  verb<{ email: string }>(partner, set, ([partnerId = ''], { email: sent }) =>
    withSession(async ({ db, clock }) => {
      const { setPartnerEmail } = await import('#product/partners/email.ts');
      const email = await setPartnerEmail({ db, clock }, partnerId, sent, actors.operator);
      return {
        json: { partnerId, email },
        text: `notices to partner ${partnerId} go to ${email ?? 'nobody'}`,
      };
    }),
  ).requiredOption('--email <address>', 'an e-mail address; an empty one for none (required)');

  for (const [name, status, summary] of [
    ['suspend', 'suspended', 'refuse a partner: its tokens stop working within seconds'],
    ['activate', 'active', 'let a suspended partner in again'],
  ] as const) {
    const spec = { usage: `${name} <partner>`, summary, examples: [`partner ${name} 0198c6a2-…`] };
    verb(partner, spec, ([partnerId = '']) =>
      withSession(async ({ db, clock }) => {
        const { setPartnerStatus } = await import('#product/partners/status.ts');
        await setPartnerStatus({ db, clock }, partnerId, status, actors.operator);
        return { json: { partnerId, status }, text: `partner ${partnerId} is ${status}` };
      }),
    );
  }
  registerKeys(partner);
}

function registerKeys(partner: Command): void {
  const examples = ['partner key create 0198c6a2-…', 'partner key delete 0198c6a2-… ptl_key_…'];
  const key = group(partner, 'key', 'app keys of a partner', examples);
  const create = {
    usage: 'create <partner>',
    summary: 'hand out a further app key; the secret is shown once',
    examples: ['partner key create 0198c6a2-…'],
  };
  verb(key, create, ([partnerId = '']) =>
    withSession(async ({ db, clock }) => {
      const { createKey } = await import('#product/partners/keys.ts');
      return shownOnce(await createKey({ db, clock }, partnerId, actors.operator));
    }),
  );
  const remove = {
    usage: 'delete <partner> <key>',
    summary: 'take an app key away, with every token that was had with it',
    examples: ['partner key delete 0198c6a2-… ptl_key_…'],
  };
  verb(key, remove, ([partnerId = '', appKey = '']) =>
    withSession(async ({ db, clock }) => {
      const { deleteKey } = await import('#product/partners/keys.ts');
      await deleteKey({ db, clock }, partnerId, appKey, actors.operator);
      return { json: { partnerId, appKey, deleted: true }, text: `app key ${appKey} is deleted` };
    }),
  );
}

function shownOnce(credentials: Credentials): CommandResult {
  note('The secret is shown this once: keep it now.');
  return { json: credentials, text: details({ ...credentials }) };
}

const columns = {
  PARTNER: (row: Partner) => row.partnerId,
  NAME: (row: Partner) => row.name + (row.isDemo ? ' (demo)' : ''),
  'E-MAIL': (row: Partner) => row.email,
  STATUS: (row: Partner) => row.status,
  MESSAGING: (row: Partner) => (row.messagingEnabled ? 'on' : 'off'),
  CAMPAIGNS: (row: Partner) => (row.campaignsEnabled ? 'on' : 'off'),
  'APP KEYS': (row: Partner) => row.appKeys,
};
