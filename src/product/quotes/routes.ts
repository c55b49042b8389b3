/** POST and GET /quotes, GET /quotes/{id}. */
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { byId, listPartnerRecords, requirePartnerRecord } from '#platform/records/partner-records.ts';
import { workshopCountry } from '#product/workshops/access/country.ts';
import { createQuote } from './create.ts';
import * as operations from './operations.ts';
import { quoteRecord } from './record.ts';

export function quoteRoutes(context: Context): Route[] {
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
      const { item: quote, version } = await requirePartnerRecord(
        context.db,
        quoteRecord,
        partnerId,
        byId(id),
      );
      return { version, body: { success: true, quote } };
    }),

    route(operations.listQuotes, ({ partnerId, query }) =>
      listPartnerRecords(context, quoteRecord, partnerId, query),
    ),
  ];
}
