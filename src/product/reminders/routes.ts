/** POST and GET /reminders/services, GET /reminders/services/{id}, POST /reminders/services/{id}/cancel. */

import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { rateLimitHeaders } from '#platform/http/rate-limit.ts';
import { byIdOrCode, listPartnerRecords, requirePartnerRecord } from '#platform/records/partner-records.ts';
import { messageLimit } from '#product/messaging/rules.ts';
import { cancelReminder } from './cancel.ts';
import * as operations from './operations.ts';
import { reminderRecord } from './record.ts';
import { remind } from './remind.ts';
import { personErrors } from './rules.ts';

export function reminderRoutes(context: Context): Route[] {
  return [
    route(
      operations.createServiceReminder,
      async ({ partnerId, actor, body: sent, accept, reference, reply }) => {
        const body = accept(personErrors(sent));
        const { answer, remaining, replayed } = await remind(context, {
          partnerId,
          actor,
          body,
          referenceId: reference,
        });
        reply.headers(rateLimitHeaders(messageLimit, remaining, 1000));
        if (replayed) reply.header('idempotent-replayed', 'true');
        return answer;
      },
    ),

    route(operations.getServiceReminder, async ({ partnerId, params: { id } }) => {
      const name = byIdOrCode(reminderRecord, id);
      const { item: serviceReminder } = await requirePartnerRecord(
        context.db,
        reminderRecord,
        partnerId,
        name,
      );
      return { success: true, serviceReminder };
    }),

    route(operations.listServiceReminders, ({ partnerId, query }) =>
      listPartnerRecords(context, reminderRecord, partnerId, query),
    ),

    route(operations.cancelServiceReminder, async ({ partnerId, actor, params: { id } }) => ({
      success: true,
      serviceReminder: await cancelReminder(context, partnerId, byIdOrCode(reminderRecord, id), actor),
    })),
  ];
}
