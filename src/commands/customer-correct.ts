/** `pitlane customer correct`: a customer's name, phone and e-mail. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { CorrectionInput } from '#product/bookings/staff/correct-customer.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

interface Flags extends CorrectionInput {
  readonly alsoUpcoming?: true;
}

export function registerCorrect(customer: Command): void {
  const spec = {
    usage: 'correct <customer>',
    summary:
      "correct a customer's name, phone or e-mail; nobody is told but the partners of bookings that change",
    examples: [
      'customer correct 0198c6a5-… --name "Sam Tailor"',
      'customer correct 0198c6a5-… --phone "0491 570 110" --also-upcoming',
    ],
  };
  verb<Flags>(customer, spec, async ([customerId = ''], { name, phone, email, alsoUpcoming }) => {
    const changes = {
      ...(name !== undefined && { name }),
      ...(phone !== undefined && { phone }),
      ...(email !== undefined && { email }),
    };
    if (Object.keys(changes).length === 0)
      throw new UsageError('nothing to correct: name --name, --phone or --email');
    return withSession(async ({ db, clock }) => {
      const { requireCustomer } = await import('#product/customers/store.ts');
      const { correctCustomer } = await import('#product/bookings/staff/correct-customer.ts');
      const { workshopId, version: seen } = await requireCustomer(db, customerId);
      const corrected = await correctCustomer(
        { db, clock },
        {
          ...{ workshopId, customerId, seen, changes, actor: actors.operator },
          alsoUpcoming: alsoUpcoming === true,
        },
      );
      const { customer: after, bookings } = corrected;
      const also = bookings.length === 0 ? '' : `, and ${bookings.length} upcoming bookings`;
      return { json: { ...after, bookings }, text: `customer ${after.customerId} is corrected${also}` };
    });
  })
    .option('--name <name>', 'what they are called')
    .option('--phone <phone>', "their phone, in any form of the workshop's country")
    .option('--email <address>', 'their e-mail address; "": none')
    .option('--also-upcoming', 'their upcoming bookings change too');
}
