/** `pitlane link` and `pitlane feature`: the permissions of a partner. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import type { Feature } from '#product/partners/features.ts';
import type { LinkKey, ListedLink } from '#product/workshops/links/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';
import { withWorkshopFilter, workshopFilter } from './workshop-option.ts';

export function registerLink(program: Command): void {
  const link = {
    usage: 'link <partner> <workshop>',
    summary: 'let a partner work for a workshop, or with --off no longer',
    examples: [
      'link 0198c6a2-… carlton-motors',
      'link 0198c6a2-… carlton-motors --off',
      'link list --workshop carlton-motors',
    ],
  };
  const linking = verb<{ off?: true }>(program, link, ([partnerId = '', workshopId = ''], { off }) =>
    withSession(async ({ db, clock }) => {
      const { setLink } = await import('#product/workshops/link.ts');
      const set = await setLink({ db, clock }, { partnerId, workshopId, active: !off }, actors.operator);
      const text = `the link of partner ${set.partnerId} and workshop ${set.workshopId} is ${set.active ? 'on' : 'off'}`;
      return { json: set, text };
    }),
  ).option(
    '--off',
    'switch the link off: nothing is written or sent any more, own bookings can still be read',
  );

  registerLists(linking);

  const feature = {
    usage: 'feature <partner> <feature> <state>',
    summary: 'switch a feature of a partner on or off; there are: messaging, campaigns',
    examples: ['feature 0198c6a2-… messaging off', 'feature 0198c6a2-… campaigns off'],
  };
  verb(program, feature, async ([partnerId = '', name = '', state = '']) => {
    const { features, setFeature } = await import('#product/partners/features.ts');
    const known: Feature | undefined = features.find((one) => one === name);
    if (!known) throw new UsageError(`there is no feature "${name}"; there are: ${features.join(', ')}`);
    if (state !== 'on' && state !== 'off') throw new UsageError(`"${state}" is neither on nor off`);
    return withSession(async ({ db, clock }) => {
      const change = { partnerId, feature: known, enabled: state === 'on' };
      await setFeature({ db, clock }, change, actors.operator);
      return { json: change, text: `${known} is ${state} for partner ${partnerId}` };
    });
  });
}

interface Ends {
  readonly partner?: string;
  readonly workshop?: string;
}

function registerLists(link: Command): void {
  const listed = list<ListedLink, Ends>(link, {
    usage: 'list',
    summary: 'list which partners are linked to which workshops, also where the link is off',
    examples: ['link list', 'link list --partner 0198c6a2-…', 'link list --workshop carlton-motors --json'],
    what: 'link',
    cursor: 'after',
    columns,
    cursorOf: ({ partnerId, workshopId }) => `${partnerId}:${workshopId}`,
    isCursor: (text) => keyOf(text) !== null,
    async open(session, _, { partner, workshop }) {
      const { db } = session;
      const { requirePartner } = await import('#product/partners/store.ts');
      const { listLinks } = await import('#product/workshops/links/store.ts');
      const partnerId = partner === undefined ? null : (await requirePartner(db, partner)).partnerId;
      const workshopId = (await workshopFilter(session, workshop))?.workshopId ?? null;
      return ({ cursor, limit }) =>
        listLinks(db, { partnerId, workshopId, after: cursor === null ? null : keyOf(cursor), limit });
    },
  });
  withWorkshopFilter(listed).option('--partner <id>', 'of one partner only');

  const show = {
    usage: 'show <partner> <workshop>',
    summary: 'show whether a partner may work for a workshop, and with what',
    examples: ['link show 0198c6a2-… carlton-motors'],
    times: true,
  };
  verb(link, show, ([partner = '', workshop = '']) =>
    withSession(async ({ db }) => {
      const { showLink } = await import('#product/workshops/link.ts');
      const found = await showLink(db, partner, workshop);
      return { json: found, text: details({ ...found }) };
    }),
  );
}

/** Null for a text that is no cursor. */
function keyOf(text: string): LinkKey | null {
  const [partnerId = '', workshopId = '', ...more] = text.split(':');
  return isId(partnerId) && isId(workshopId) && more.length === 0 ? { partnerId, workshopId } : null;
}

const columns = {
  PARTNER: (row: ListedLink) => row.partnerId,
  'PARTNER NAME': (row: ListedLink) => row.partner,
  WORKSHOP: (row: ListedLink) => row.workshopId,
  'WORKSHOP NAME': (row: ListedLink) => row.workshop,
  LINK: (row: ListedLink) => (row.active ? 'on' : 'off'),
};
