/** `pitlane customer opt-out`, `opt-in`, `export` and `erase`: what customers have a right to. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

export function registerRights(customer: Command): void {
  registerOptOut(customer);
  registerOptIn(customer);
  registerExport(customer);
  registerErase(customer);
}

function registerOptOut(customer: Command): void {
  const spec = {
    usage: 'opt-out <customer>',
    summary: 'send a customer no SMS any more',
    examples: ['customer opt-out 0198c6a5-…'],
  };
  verb(customer, spec, ([customerId = '']) =>
    withSession(async ({ db, clock }) => {
      const { setOptedOut } = await import('#product/customers/opt-out.ts');
      const after = await setOptedOut({ db, clock }, customerId, true, actors.operator);
      return { json: after, text: `customer ${after.customerId} has opted out of SMS` };
    }),
  );
}

interface Agreed {
  readonly how?: string;
  readonly on?: string;
}

function registerOptIn(customer: Command): void {
  const spec = {
    usage: 'opt-in <customer>',
    summary:
      'send a customer SMS again, who has agreed to it; a carrier that heard STOP may still refuse them',
    examples: ['customer opt-in 0198c6a5-… --how "asked for it at the desk" --on 2030-03-03'],
  };
  verb<Agreed>(customer, spec, ([customerId = ''], { how, on }) => {
    if ((how === undefined) !== (on === undefined))
      throw new UsageError('--how and --on belong together: how the customer agreed, and when');
    return withSession(async ({ db, clock }) => {
      const { requireCustomer } = await import('#product/customers/store.ts');
      const { setOptedOut } = await import('#product/customers/opt-out.ts');
      const { optInAgain } = await import('#product/customers/opt-in.ts');
      const { workshopId } = await requireCustomer(db, customerId);
      const asked = { workshopId, customerId, actor: actors.operator };
      const after =
        how === undefined || on === undefined
          ? await setOptedOut({ db, clock }, customerId, false, actors.operator)
          : await optInAgain({ db, clock }, { ...asked, agreement: { how, on } });
      return { json: after, text: `customer ${after.customerId} gets SMS` };
    });
  })
    .option('--how <words>', 'how they agreed, 3 to 255 characters: kept in the trail')
    .option('--on <date>', 'the day they agreed, such as 2030-03-03');
}

function registerExport(customer: Command): void {
  const spec = {
    usage: 'export <customer>',
    summary: 'print all that is held on a customer, for them; the trail keeps that it was exported',
    examples: ['customer export 0198c6a5-…', 'customer export 0198c6a5-… --json > customer.json'],
    times: true,
  };
  verb(customer, spec, ([customerId = '']) =>
    withSession(async ({ db, clock }) => {
      const { requireCustomer } = await import('#product/customers/store.ts');
      const { exportParts, recordExport } = await import('#operation/export/export-customer.ts');
      const { workshopId, customerId: id } = await requireCustomer(db, customerId);
      await recordExport({ db, clock }, { workshopId, customerId: id, as: 'json', actor: actors.operator });
      const all: Record<string, unknown[]> = {};
      const lines: string[] = [];
      for await (const { section, rows, isFirst } of exportParts(
        { db, replica: null },
        { workshopId, customerId: id },
      )) {
        if (isFirst) lines.push('', section.title.toUpperCase(), ...(rows.length === 0 ? ['none'] : []));
        for (const row of rows) lines.push('', details(row));
        const its = all[section.name] ?? [];
        its.push(...rows);
        all[section.name] = its;
      }
      return { json: { exportedAt: clock.now(), ...all }, text: lines.slice(1).join('\n') };
    }),
  );
}

function registerErase(customer: Command): void {
  const erase = {
    usage: 'erase <customer>',
    summary: "overwrite a person's details wherever they are kept; can't be undone",
    examples: ['customer erase 0198c6a5-… --yes'],
  };
  verb<{ yes?: true }>(customer, erase, async ([customerId = ''], { yes }) => {
    if (!yes) throw new UsageError("erasing can't be undone: repeat the command with --yes if you mean it");
    return withSession(async ({ db, clock }) => {
      const { eraseCustomer } = await import('#operation/erasure/erase-customer.ts');
      const erased = await eraseCustomer({ db, clock }, customerId, actors.operator);
      return { json: erased, text: details({ ...erased }) };
    });
  }).option('--yes', "I know that it can't be undone");
}
