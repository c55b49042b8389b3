/** `pitlane customer merge`: two customers who turned out to be one. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

export function registerMerge(customer: Command): void {
  const spec = {
    usage: 'merge <customer> <other>',
    summary:
      "make two customers of one workshop one: the older stays, the other's id goes on answering; can't be undone",
    examples: ['customer merge 0198c6a5-… 0198c6b7-… --yes'],
  };
  verb<{ yes?: true }>(customer, spec, async ([customerId = '', otherId = ''], { yes }) => {
    if (!yes) throw new UsageError("merging can't be undone: repeat the command with --yes if you mean it");
    return withSession(async ({ db, clock }) => {
      const { requireCustomer } = await import('#product/customers/store.ts');
      const { mergeCustomers } = await import('#product/customers/merge/merge.ts');
      const [one, other] = [await requireCustomer(db, customerId), await requireCustomer(db, otherId)];
      const { workshopId } = one;
      const { kept, merged } = await mergeCustomers(
        { db, clock },
        { workshopId, both: [one, other], actor: actors.operator },
      );
      return {
        json: { kept, merged },
        text: `customer ${kept.customerId} stays; ${merged.customerId} was merged into them, and goes on answering`,
      };
    });
  }).option('--yes', "I know that it can't be undone");
}
