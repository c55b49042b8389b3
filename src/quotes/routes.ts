/** POST and GET /quotes, GET /quotes/{id}. */
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type Route, route } from '#http/operation.ts';
import { judgePhone } from '#http/phone-field.ts';
import { isId } from '#values/id.ts';
import { workshopCountry } from '#workshops/access/country.ts';
import { createQuote } from './create.ts';
import { listOwnQuotes } from './list/list.ts';
import * as operations from './operations.ts';
import { readQuote } from './store.ts';

export function quoteRoutes(context: Context): Route[] {
  const { db } = context;
  return [
    route(operations.createQuote, async ({ partnerId, actor, body: sent, acceptForm, once }) => {
      const country = () => workshopCountry(context, partnerId, sent.workshopId);
      const { phone, found } = await judgePhone('customerPhone', sent.customerPhone, country);
      const body = acceptForm(found);
      return once(async (claim) => {
        const quote = await createQuote(context, { partnerId, actor, body, phone, found, claim });
        return quote && { success: true, quote };
      });
    }),

    route(operations.getQuote, async ({ partnerId, params: { id } }) => {
      const found = isId(id) ? await readQuote(db, partnerId, id) : null;
      if (found === null) throw new Problem('050001');
      return { version: found.version, body: { success: true, quote: found.quote } };
    }),

    route(operations.listQuotes, async ({ partnerId, query }) => ({
      success: true,
      ...(await listOwnQuotes(context, partnerId, query)),
    })),
  ];
}
