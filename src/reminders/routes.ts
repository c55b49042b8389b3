/** POST and GET /reminders/services, GET /reminders/services/{id}, POST /reminders/services/{id}/cancel. */

import { readReminderCode } from '#bookings/reminder-code/code.ts';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type Route, route } from '#http/operation.ts';
import { rateLimitHeaders } from '#http/rate-limit.ts';
import { messageLimit } from '#messaging/rules.ts';
import { isId } from '#values/id.ts';
import { cancelReminder } from './cancel.ts';
import { listOwnReminders } from './list/list.ts';
import * as operations from './operations.ts';
import { remind } from './remind.ts';
import { personErrors } from './rules.ts';
import { type ReminderName, readReminder } from './store.ts';

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
      const serviceReminder = await readReminder(context.db, partnerId, nameOf(id));
      if (serviceReminder === null) throw new Problem('080001');
      return { success: true, serviceReminder };
    }),

    route(operations.listServiceReminders, async ({ partnerId, query }) => ({
      success: true,
      ...(await listOwnReminders(context, partnerId, query)),
    })),

    route(operations.cancelServiceReminder, async ({ partnerId, actor, params: { id } }) => ({
      success: true,
      serviceReminder: await cancelReminder(context, partnerId, nameOf(id), actor),
    })),
  ];
}

/** An id, or a code as people write it down. Throws 404 080001 for what can be neither. */
function nameOf(text: string): ReminderName {
  if (isId(text)) return { id: text };
  const code = readReminderCode(text);
  if (code === null) throw new Problem('080001');
  return { code };
}
