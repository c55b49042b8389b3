/** `pitlane quote …`: what customers ask a workshop to price, of any partner. */

import type { Command } from 'commander';
import type { WorkshopQuote } from '#quotes/own/store.ts';
import { actors } from '#values/actor.ts';
import { currencyOf } from '#values/money.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { collect, group, verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

const priceExample =
  'quote price 0198c6b1-… --line "Brake pads:2:94.50" --line "Labour:1.5:120" --valid-days 14 --message "Both front wheels."';

export function registerQuote(program: Command): void {
  const examples = ['quote list --workshop carlton-motors --status requested', priceExample];
  const quote = group(program, 'quote', 'what customers ask a workshop to price', examples);
  registerList(quote);

  const show = {
    usage: 'show <quote>',
    summary: 'show a quote, by its id or code',
    examples: ['quote show 0198c6b1-…', 'quote show 7K3M9QXW2P --json'],
    times: true,
  };
  verb(quote, show, ([idOrCode = '']) =>
    withSession(async ({ db }) => {
      const { requireQuote } = await import('#quotes/own/find.ts');
      const found = await requireQuote(db, idOrCode);
      return { json: found, text: details(await shown(found)) };
    }),
  );
  registerPrice(quote);

  const decline = {
    usage: 'decline <quote>',
    summary: 'decline a quote, priced or not; its page says so, nobody is told',
    examples: ['quote decline 0198c6b1-…'],
  };
  verb(quote, decline, ([idOrCode = '']) =>
    withSession(async ({ db, clock }) => {
      const { requireQuote } = await import('#quotes/own/find.ts');
      const { declineOwn } = await import('#quotes/own/decline.ts');
      const { id } = await requireQuote(db, idOrCode);
      await declineOwn({ db, clock, nudgeRelay: () => undefined }, id, actors.operator);
      const after = await requireQuote(db, id);
      return { json: after, text: `quote ${after.code} is ${after.status}` };
    }),
  );
}

function registerList(quote: Command): void {
  const listed = list<WorkshopQuote, { workshop?: string; status?: string }>(quote, {
    usage: 'list',
    summary: "list a workshop's quotes, the newest first",
    examples: [
      'quote list --workshop carlton-motors',
      'quote list --workshop carlton-motors --status requested',
    ],
    what: 'quote',
    cursor: 'before',
    columns,
    cursorOf: ({ id }) => id,
    async open(session, _, { workshop, status }) {
      const { findQuotes } = await import('#quotes/own/find.ts');
      const { workshopId } = await workshopOf(session, workshop);
      return ({ cursor: before, limit }) => findQuotes(session.db, { workshopId, status, before, limit });
    },
  });
  withWorkshop(listed).option(
    '--status <status>',
    'requested, quoted, accepted, declined or expired; all unless given',
  );
}

interface PriceOptions {
  readonly line: readonly string[];
  readonly validDays: string;
  readonly message?: string;
}

function registerPrice(quote: Command): void {
  const price = {
    usage: 'price <quote>',
    summary: 'price a quote, or price it again; the customer gets a link to accept or decline it',
    examples: [priceExample],
  };
  verb<PriceOptions>(quote, price, ([idOrCode = ''], { line, validDays, message }) =>
    withSession(async ({ db, clock, config }) => {
      const { requireQuote } = await import('#quotes/own/find.ts');
      const { priceQuote } = await import('#quotes/price.ts');
      const { id } = await requireQuote(db, idOrCode);
      const context = { db, clock, config, nudgeRelay: () => undefined };
      await priceQuote(context, { quoteId: id, lines: line, validDays, message, actor: actors.operator });
      const after = await requireQuote(db, id);
      return { json: after, text: details(await shown(after)) };
    }),
  )
    .requiredOption(
      '--line <title:quantity:price>',
      'what it consists of, with the price of one; may be given more than once (required)',
      collect,
    )
    .requiredOption('--valid-days <number>', 'for how many days of 24 hours it holds, 1 to 365 (required)')
    .option('--message <text>', 'to the customer, at most 2000 characters');
}

async function shown(quote: WorkshopQuote) {
  const { phoneIn } = await import('#values/phone.ts');
  const { customer, car, services, lines } = quote;
  return {
    quoteId: quote.id,
    code: quote.code,
    status: quote.status,
    customer: customer.name,
    phone: customer.phone && phoneIn(quote.country, customer.phone),
    email: customer.email,
    car: [car.rego, car.year, car.make, car.model].filter((part) => part !== null).join(' '),
    services: services.map(({ title, catalogCode }) => title ?? catalogCode),
    notes: quote.notes,
    lines: lines.map(
      ({ title, quantity, unitPrice, total }) =>
        `${title}: ${quantity} × ${unitPrice.toFixed(2)} = ${total.toFixed(2)}`,
    ),
    total: totalOf(quote),
    message: quote.message,
    validUntil: at(quote.validUntil, quote.timezone),
    url: quote.url,
    bookingId: quote.bookingId,
    partner: quote.partner,
    workshopId: quote.workshopId,
    createdAt: at(quote.createdAt, quote.timezone),
    updatedAt: at(quote.updatedAt, quote.timezone),
  };
}

/** `310.50 AUD`; without the currency where that of the country is not known. */
function totalOf({ total, country }: WorkshopQuote): string | null {
  return total === null ? null : [total.toFixed(2), currencyOf(country)].filter(Boolean).join(' ');
}

const columns = {
  CODE: (row: WorkshopQuote) => row.code,
  CREATED: (row: WorkshopQuote) => at(row.createdAt, row.timezone),
  STATUS: (row: WorkshopQuote) => row.status,
  CAR: (row: WorkshopQuote) => row.car.rego,
  CUSTOMER: (row: WorkshopQuote) => row.customer.name,
  SERVICES: (row: WorkshopQuote) => row.services.map(({ title, catalogCode }) => title ?? catalogCode),
  TOTAL: totalOf,
  PARTNER: (row: WorkshopQuote) => row.partner,
};
