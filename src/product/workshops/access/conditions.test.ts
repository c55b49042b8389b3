/** Access of a partner at this moment: refusals of requests, statements over sets, and work without a request agree. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { createPartner } from '#product/partners/create.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { cheapHash, linkedWorkshop } from '../../../../test/harness/world.ts';
import { isOpen, type Work } from './conditions.ts';
import { requireCampaigns, requireLink, requireMessaging } from './gate.ts';
import { gateOpens, gatesCte, isOpenAt, linkGateCte, readGate } from './store.ts';

const { db } = await createTestDatabase();
const clock = testClock();
const { partnerId } = await createPartner({ db, clock }, 'Example Fleet', actors.operator, cheapHash);
const workshopId = await linkedWorkshop({ context: { db, clock } } as never, [{ partnerId }]);

interface State {
  readonly link: boolean;
  readonly partner: boolean;
  readonly messaging: boolean;
  readonly campaigns: boolean;
  readonly inbox: boolean;
}

const states = Array.from({ length: 32 }, (_, bits): State => {
  const [link, partner, messaging, campaigns, inbox] = [1, 2, 4, 8, 16].map((bit) => (bits & bit) !== 0);
  return { link, partner, messaging, campaigns, inbox } as State;
});

/** The refusal of a request in that state, by the order of the specification; null: it is accepted. */
const wanted: Readonly<Record<Work, (of: State) => string | null>> = {
  dealing: ({ link }) => (link ? null : '000004 Partner integration'),
  messaging: ({ link, messaging, inbox }) =>
    !messaging ? '000003 Messaging' : !link ? '000004 Partner' : !inbox ? '000004 Inbox' : null,
  campaigns: ({ link, campaigns, inbox }) =>
    !campaigns ? '000003 Campaigns' : !link ? '000004 Partner' : !inbox ? '000004 Inbox' : null,
};

function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return `${error.errorCode} ${error.message}`;
  }
}

const works = Object.keys(wanted) as Work[];
const input = 'input AS (SELECT $1::uuid AS partner_id, $2::uuid AS workshop_id)';
const columnsOf = (of: (work: Work) => string) => works.map((work) => `${of(work)} AS ${work}`).join(', ');
const statements = {
  set: `WITH ${input}, ${gatesCte} SELECT ${columnsOf(gateOpens)} FROM gate`,
  at: `SELECT ${columnsOf((work) => isOpenAt(work, '$1::uuid', '$2::uuid'))}`,
  rows: `SELECT ${columnsOf((work) => isOpen(work))} FROM link l JOIN partner p ON p.id = l.partner_id
           JOIN workshop w ON w.id = l.workshop_id WHERE l.partner_id = $1 AND l.workshop_id = $2`,
};

test('each condition closes the work that needs it, in a request, a set, an expression and joined rows', async () => {
  const ids = [partnerId, workshopId];
  for (const state of states) {
    const { link, partner, messaging, campaigns, inbox } = state;
    await db.query('UPDATE link SET active = $1', [link]);
    await db.query('UPDATE partner SET status = $1, messaging_enabled = $2, campaigns_enabled = $3', [
      ...[partner ? 'active' : 'suspended', messaging, campaigns],
    ]);
    await db.query('UPDATE workshop SET inbox_messaging_enabled = $1', [inbox]);
    const gate = await readGate(db, partnerId, workshopId);
    assert.ok(gate);
    const refused = {
      dealing: refusalOf(() => requireLink(gate)),
      messaging: refusalOf(() => requireMessaging(gate)),
      campaigns: refusalOf(() => requireCampaigns(gate)),
    };
    const [set] = await db.query<Record<Work, boolean>>(statements.set, ids);
    const [at] = await db.query<Record<Work, boolean>>(statements.at, ids);
    const [rows] = await db.query<Record<Work, boolean>>(statements.rows, ids);
    for (const work of works) {
      const reason = wanted[work](state);
      const said = `${work} ${JSON.stringify(state)}`;
      assert.equal(refused[work] === null, reason === null, said);
      assert.ok((refused[work] ?? '').startsWith(reason ?? ''), `${said}: ${refused[work]}`);
      assert.equal(set?.[work], reason === null, `set, ${said}`);
      // Without a request nothing has checked the partner's status.
      assert.equal(at?.[work], reason === null && partner, `expression, ${said}`);
      assert.equal(rows?.[work], reason === null && partner, `rows, ${said}`);
    }
    const [alone] = await db.query(`WITH ${input}, ${linkGateCte} SELECT link_active FROM gate`, ids);
    assert.deepEqual(alone, { linkActive: link });
  }
});

test('without a link there is no gate, and nothing is open; the workshop itself needs none', async () => {
  const stranger = (await createPartner({ db, clock }, 'Another Fleet', actors.operator, cheapHash))
    .partnerId;
  assert.equal(await readGate(db, stranger, workshopId), null);
  for (const refuse of [requireLink, requireMessaging, requireCampaigns] as ((gate: null) => void)[])
    assert.match(refusalOf(() => refuse(null)) ?? '', /^030001 /);
  const [at] = await db.query(statements.at, [stranger, workshopId]);
  assert.deepEqual(at, { dealing: false, messaging: false, campaigns: false });
  const [own] = await db.query(statements.at, [null, workshopId]);
  assert.deepEqual(own, { dealing: true, messaging: true, campaigns: true });
});
