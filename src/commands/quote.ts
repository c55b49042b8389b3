/** `pitlane quote …`: quotes of all partners, for the workshop's staff. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { RecordType } from '#platform/records/record.ts';
import type { WorkshopQuote } from '#product/quotes/record.ts';
import { registerList, registerShow, shown } from './record.ts';
import { withSession } from './session.ts';
import { collect, group, verb } from './verb.ts';

const priceExample =
  'quote price 0198c6b1-… --line "Brake pads:2:94.50" --line "Labour:1.5:120" --valid-days 14 --message "Both front wheels."';

export async function registerQuote(program: Command, isMeant: (group: string) => boolean): Promise<void> {
  const examples = ['quote list --workshop carlton-motors --status requested', priceExample];
  const quote = group(program, 'quote', 'what customers ask a workshop to price', examples);
  if (!isMeant('quote')) return;
  const { quoteRecord } = await import('#product/quotes/record.ts');
  registerList(quote, quoteRecord, {
    summary: "list a workshop's quotes, the newest first",
    examples: [
      'quote list --workshop carlton-motors',
      'quote list --workshop carlton-motors --status requested',
    ],
  });
  registerShow(quote, quoteRecord, {
    summary: 'show a quote, by its id or code',
    examples: ['quote show 0198c6b1-…', 'quote show 7K3M9QXW2P --json'],
  });
  registerPrice(quote, quoteRecord);

  const decline = {
    usage: 'decline <quote>',
    summary: 'decline a quote, priced or not; its page says so, nobody is told',
    examples: ['quote decline 0198c6b1-…'],
  };
  verb(quote, decline, ([idOrCode = '']) =>
    withSession(async ({ db, clock }) => {
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { declineOwn } = await import('#product/quotes/staff/decline.ts');
      const { id } = await requireRecord(db, quoteRecord, idOrCode);
      await declineOwn({ db, clock }, id, actors.operator);
      const after = await requireRecord(db, quoteRecord, id);
      return { json: after, text: `quote ${after.code} is ${after.status}` };
    }),
  );
}

interface PriceOptions {
  readonly line: readonly string[];
  readonly validDays: string;
  readonly message?: string;
}

function registerPrice(quote: Command, record: RecordType<unknown, WorkshopQuote>): void {
  const price = {
    usage: 'price <quote>',
    summary: 'price a quote, or price it again; the customer gets a link to accept or decline it',
    examples: [priceExample],
  };
  verb<PriceOptions>(quote, price, ([idOrCode = ''], { line, validDays, message }) =>
    withSession(async ({ db, clock, config }) => {
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { priceQuote } = await import('#product/quotes/price.ts');
      const { id } = await requireRecord(db, record, idOrCode);
      const context = { db, clock, config };
      await priceQuote(context, { quoteId: id, lines: line, validDays, message, actor: actors.operator });
      const after = await requireRecord(db, record, id);
      return { json: after, text: await shown(record, after) };
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
