/** `pitlane customer …`: finds, shows, tags and merges customers; customers' rights are in customer-rights.ts. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { notGiven } from '#base/values/not-given.ts';
import type { CustomerSearch } from '#product/customers/find.ts';
import type { FoundCustomer } from '#product/customers/search/find.ts';
import type { CustomerRecord } from '#product/customers/store.ts';
import { registerCorrect } from './customer-correct.ts';
import { registerMerge } from './customer-merge.ts';
import { registerRights } from './customer-rights.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at, localTimes } from './times.ts';
import { collect, group, verb } from './verb.ts';
import {
  likelyWorkshop,
  withWorkshop,
  withWorkshopFilter,
  workshopFilter,
  workshopOf,
} from './workshop-option.ts';

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
    columns: async () => columnsBy(await import('#base/values/phone.ts')),
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

  registerFind(customer);

  const show = {
    usage: 'show <customer>',
    summary: 'show a customer: their cars, bookings and messages, and how often they did not come',
    examples: ['customer show 0198c6a5-…'],
    times: true,
  };
  verb(customer, show, ([customerId = '']) =>
    withSession(async ({ db }) => {
      const { requireCustomer } = await import('#product/customers/store.ts');
      const { readStaffCustomer } = await import('#product/messaging/staff/customer.ts');
      const { requireWorkshop } = await import('#product/workshops/store.ts');
      const { workshopId } = await requireCustomer(db, customerId);
      const { timezone } = await requireWorkshop(db, workshopId);
      const found = await readStaffCustomer(db, { workshopId, customerId });
      const { cars, bookings, messages, ...rest } = found;
      const { nameWritten, phoneIn } = await import('#base/values/phone.ts');
      const { carInWords, orNotGiven } = await import('#product/customers/records.ts');
      const phone = orNotGiven(rest.phone && phoneIn(rest.country, rest.phone), rest);
      const name = rest.name === null ? notGiven : nameWritten(rest.name, rest.country);
      const email = orNotGiven(rest.email, rest);
      const codes = bookings.map(({ code, status }) => `${code} ${status}`);
      const contact = { name, email, phone, cars: cars.map((car) => carInWords(car)) };
      const shownDetails = { ...rest, ...localTimes(rest, timezone), ...contact };
      return {
        json: found,
        text: details({ ...shownDetails, bookings: codes, messages: messages.length }),
      };
    }),
  );

  const again = {
    usage: 'email-again <customer>',
    summary: "send e-mail to a customer's address again, although one came back",
    examples: ['customer email-again 0198c6a5-…'],
  };
  verb(customer, again, ([customerId = '']) =>
    withSession(async ({ db, clock }) => {
      const { emailAgain } = await import('#product/customers/email-again.ts');
      const after = await emailAgain({ db, clock }, customerId, actors.operator);
      return { json: after, text: `customer ${after.customerId} gets e-mail` };
    }),
  );
  registerTag(customer);
  registerCorrect(customer);
  registerMerge(customer);
  registerRights(customer);
}

function registerFind(customer: Command): void {
  const find = {
    usage: 'find <words...>',
    summary:
      'find customers as Find in the office does: by registration, phone, name or the code of a booking, the best first',
    examples: [
      'customer find ABC 123',
      'customer find taylor 006 --workshop carlton-motors',
      'customer find K7Q2M9X4 --json',
    ],
    times: true,
  };
  const command = verb<{ workshop?: string }>(customer, find, (words, { workshop: named }) =>
    withSession(async (session) => {
      const workshop = await workshopOf(session, named);
      const { findAsTyped, foundAtMost } = await import('#product/customers/search/find.ts');
      const { nameWritten, phoneIn } = await import('#base/values/phone.ts');
      const { workshopId, country, timezone } = workshop;
      const all = { limit: foundAtMost, seesPhones: true, now: session.clock.now() };
      const { customers: found, isWhole } = await findAsTyped(session.db, {
        workshopId,
        q: words.join(' '),
        ...all,
      });
      const columns = {
        CUSTOMER: (row: FoundCustomer) => row.customerId,
        NAME: (row: FoundCustomer) => row.name && nameWritten(row.name, country),
        PHONE: (row: FoundCustomer) => row.phone && phoneIn(country, row.phone),
        CARS: (row: FoundCustomer) => row.cars.map(({ rego }) => rego),
        BOOKING: (row: FoundCustomer) => row.booking?.code ?? null,
        DATE: (row: FoundCustomer) => row.booking && at(row.booking.date, timezone),
        STATUS: (row: FoundCustomer) => row.booking?.status ?? null,
      };
      const listed = found.length === 0 ? 'no customer found' : table(found, columns);
      const more = isWhole
        ? ''
        : '\ntoo much begins like that, so only a part was looked through: type more letters';
      return { json: found, text: `${listed}${more}` };
    }),
  );
  withWorkshop(command);
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
      const change = { workshopId: null, customerId, add, remove, actor: actors.operator };
      const after = await setTags({ db, clock }, change);
      const shown = after.tags.length === 0 ? 'no tags' : `the tags ${after.tags.join(', ')}`;
      return { json: after, text: `customer ${after.customerId} has ${shown}` };
    }),
  )
    .option('--add <tag>', 'a tag to give; may be given more than once', collect)
    .option('--remove <tag>', 'a tag to take away; may be given more than once', collect);
}

/** An option was given that an erased person no longer has. */
const absent = ({ erasedAt }: CustomerRecord) => (erasedAt === null ? notGiven : null);

const columnsBy = ({ nameWritten, phoneIn }: typeof import('#base/values/phone.ts')) => ({
  CUSTOMER: (row: CustomerRecord) => row.customerId,
  NAME: (row: CustomerRecord) => (row.name === null ? notGiven : nameWritten(row.name, row.country)),
  PHONE: (row: CustomerRecord) => (row.phone === null ? absent(row) : phoneIn(row.country, row.phone)),
  EMAIL: (row: CustomerRecord) => row.email ?? absent(row),
  BOUNCED: (row: CustomerRecord) => row.emailBouncedAt !== null,
  TAGS: (row: CustomerRecord) => row.tags,
  'OPTED OUT': (row: CustomerRecord) => row.optedOutAt !== null,
  WORKSHOP: (row: CustomerRecord) => row.workshopId,
});
