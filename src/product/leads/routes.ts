/** POST and GET /leads/calls, GET /leads/calls/{id}. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { byId, listPartnerRecords, requirePartnerRecord } from '#platform/records/partner-records.ts';
import { workshopCountry } from '#product/workshops/access/country.ts';
import * as operations from './operations.ts';
import { callRecord } from './record.ts';
import { recordCall } from './register.ts';

export function leadRoutes(context: Context): Route[] {
  const countryOf = async (partnerId: string, id: unknown) =>
    typeof id === 'string' && isId(id) ? workshopCountry(context, partnerId, id) : null;

  return [
    route(operations.recordCall, async ({ partnerId, actor, body: sent, accept, once }) => {
      const country = () => countryOf(partnerId, sent.workshopId);
      const { phone, found } = await judgePhone('callerPhone', sent.callerPhone, country);
      const body = accept(found);
      if (phone === null) throw new Problem('030001');
      return once(async (claim) => {
        const recorded = await recordCall(context, { partnerId, body, phone, claim, actor });
        if (recorded === null) return null;
        const { isNew, callLead } = recorded;
        return { status: isNew ? 201 : 200, body: { success: true, callLead } };
      });
    }),

    route(operations.getCallLead, async ({ partnerId, params: { id } }) => {
      const { item: callLead } = await requirePartnerRecord(context.db, callRecord, partnerId, byId(id));
      return { success: true, callLead };
    }),

    route(operations.listCallLeads, ({ partnerId, query }) =>
      listPartnerRecords(context, callRecord, partnerId, query),
    ),
  ];
}
