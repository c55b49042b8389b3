/** `pitlane customer …`: finds a customer, changes the opt-out and tags, and erases personal data. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { CustomerSearch } from '#product/customers/find.ts';
import type { CustomerRecord } from '#product/customers/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { localTimes } from './times.ts';
import { UsageError } from './usage-error.ts';
import { collect, group, verb } from './verb.ts';
import { likelyWorkshop, withWorkshopFilter, workshopFilter } from './workshop-option.ts';

export function registerCustomer(program: Command): void {
  const examples = ['customer list --name taylor', 'customer opt-out 0198c6a5-…'];
  const customer = group(program, 'customer', 'customers of workshops', examples);

  const listed = list<CustomerRecord, CustomerSearch>(customer, {
    usage: 'list',
    summary: 'list customers, the oldest first',
    examples: [
      'customer list --name taylor',
      'customer list --phone "0491 570 006"',
      'customer list --workshop carlton-motors --rego ABC --json',
      'customer list --limit 200 --after 0198c6a5-…',
    ],
    what: 'customer',
    cursor: 'after',
    columns: async () => columnsBy((await import('#base/values/phone.ts')).phoneIn),
    cursorOf: ({ customerId }) => customerId,
    async open(session, _, { workshop: named, ...search }) {
      const { findCustomers } = await import('#product/customers/find.ts');
      const isSearch = [search.name, search.phone, search.rego].some((part) => part !== undefined);
      const workshop = await (isSearch ? likelyWorkshop : workshopFilter)(session, named);
      const of = workshop === null ? {} : { workshop: workshop.workshopId };
      return findCustomers(session.db, { ...search, ...of });
    },
  });
  withWorkshopFilter(listed)
    .option('--name <name>', 'whose name has this in it')
    .option('--phone <phone>', 'with this phone, or with these digits in it')
    .option('--rego <rego>', 'with a car whose registration has this in it');

  const show = {
    usage: 'show <customer>',
    summary: 'show a customer and their cars',
    examples: ['customer show 0198c6a5-…'],
    times: true,
  };
  verb(customer, show, ([customerId = '']) =>
    withSession(async ({ db }) => {
      const { requireCustomer } = await import('#product/customers/store.ts');
      const { listCarsOf } = await import('#product/customers/cars/store.ts');
      const { requireWorkshop } = await import('#product/workshops/store.ts');
      const found = await requireCustomer(db, customerId);
      const cars = await listCarsOf(db, found.customerId);
      const { timezone } = await requireWorkshop(db, found.workshopId);
      const { phoneIn } = await import('#base/values/phone.ts');
      const phone = found.phone && phoneIn(found.country, found.phone);
      const names = cars.map((car) =>
        [car.rego, car.year, car.make, car.model].filter((part) => part !== null).join(' '),
      );
      return {
        json: { ...found, cars },
        text: details({ ...found, ...localTimes(found, timezone), phone, cars: names }),
      };
    }),
  );

  for (const [name, optedOut, summary, done] of [
    ['opt-out', true, 'send a customer no SMS any more', 'has opted out of SMS'],
    ['opt-in', false, 'send a customer SMS again', 'gets SMS'],
  ] as const) {
    const spec = { usage: `${name} <customer>`, summary, examples: [`customer ${name} 0198c6a5-…`] };
    verb(customer, spec, ([customerId = '']) =>
      withSession(async ({ db, clock }) => {
        const { setOptedOut } = await import('#product/customers/opt-out.ts');
        const after = await setOptedOut(db, clock, customerId, optedOut, actors.operator);
        return { json: after, text: `customer ${after.customerId} ${done}` };
      }),
    );
  }
  const again = {
    usage: 'email-again <customer>',
    summary: "send e-mail to a customer's address again, although one came back",
    examples: ['customer email-again 0198c6a5-…'],
  };
  verb(customer, again, ([customerId = '']) =>
    withSession(async ({ db, clock }) => {
      const { emailAgain } = await import('#product/customers/email-again.ts');
      const after = await emailAgain(db, clock, customerId, actors.operator);
      return { json: after, text: `customer ${after.customerId} gets e-mail` };
    }),
  );
  registerTag(customer);
  registerErase(customer);
}

function registerTag(customer: Command): void {
  const tag = {
    usage: 'tag <customer>',
    summary: 'give a customer tags, or take them away, to reach them by blasts',
    examples: ['customer tag 0198c6a5-… --add vip --add fleet', 'customer tag 0198c6a5-… --remove vip'],
  };
  verb<{ add?: string[]; remove?: string[] }>(customer, tag, ([customerId = ''], { add = [], remove = [] }) =>
    withSession(async ({ db, clock }) => {
      const { setTags } = await import('#product/customers/tags.ts');
      const after = await setTags(db, clock, customerId, { add, remove }, actors.operator);
      const shown = after.tags.length === 0 ? 'no tags' : `the tags ${after.tags.join(', ')}`;
      return { json: after, text: `customer ${after.customerId} has ${shown}` };
    }),
  )
    .option('--add <tag>', 'a tag to give; may be given more than once', collect)
    .option('--remove <tag>', 'a tag to take away; may be given more than once', collect);
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
      const erased = await eraseCustomer(db, clock, customerId, actors.operator);
      return { json: erased, text: details({ ...erased }) };
    });
  }).option('--yes', "I know that it can't be undone");
}

const columnsBy = (phoneIn: typeof import('#base/values/phone.ts').phoneIn) => ({
  CUSTOMER: (row: CustomerRecord) => row.customerId,
  NAME: (row: CustomerRecord) => row.name,
  PHONE: (row: CustomerRecord) => row.phone && phoneIn(row.country, row.phone),
  EMAIL: (row: CustomerRecord) => row.email,
  BOUNCED: (row: CustomerRecord) => row.emailBouncedAt !== null,
  TAGS: (row: CustomerRecord) => row.tags,
  'OPTED OUT': (row: CustomerRecord) => row.optedOutAt !== null,
  WORKSHOP: (row: CustomerRecord) => row.workshopId,
});
