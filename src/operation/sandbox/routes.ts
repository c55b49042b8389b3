/**
 * The sandbox: messages that were "sent", and the movable clock. It does not exist with real gateways
 * only; conversations exist only when no SMS gateway is real, answering as a customer and moving the clock when no gateway is.
 */

import { newId } from '#base/values/id.ts';
import { formatInstant } from '#base/values/instant.ts';
import { parsePhone } from '#base/values/phone.ts';
import { invalidFields } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { advanceClock } from './advance-clock.ts';
import { readConversation } from './conversation.ts';
import { listMessages } from './list.ts';
import * as operations from './operations.ts';
import { setClockRight } from './right-clock.ts';

/** With a real gateway an answer could opt a real customer out, and moving the clock would expire everyone's tokens. */
export function sandboxRoutes(context: Context): Route[] {
  const listing = route(operations.listSandboxMessages, async ({ query }) => listMessages(context, query));
  const conversation = route(operations.readSandboxConversation, async ({ query }) =>
    readConversation(context, query.phone),
  );
  // Through a real SMS gateway the answers are those of real customers.
  const sms = context.config.smsGateways.length === 0 ? [conversation] : [];
  return context.sandboxAlone ? [listing, ...sms, ...actions(context)] : [listing, ...sms];
}

function actions(context: Context): Route[] {
  const { clock } = context;
  const state = () => ({ now: formatInstant(clock.now()), advanceSeconds: clock.advanceSeconds() });

  return [
    route(operations.answerAsCustomer, async ({ body: { from: sent, to, body } }) => {
      const from = parsePhone(sent, 'AU');
      if (from === null) {
        const message = 'must be a valid phone number, or one with its country code';
        throw invalidFields([{ field: 'from', message }]);
      }
      const address = to === undefined || to === null ? '' : (parsePhone(to, 'AU') ?? to);
      const sms = { gatewayId: newId(), from, to: address, body };
      const { repeated: _, ...placed } = await receiveSms(context, 'sandbox', sms);
      return { placed: placed.messageId !== null, ...placed };
    }),

    route(operations.getClock, async () => state()),

    route(operations.advanceClock, async ({ body }) => {
      await advanceClock(context, body.advanceSeconds);
      return state();
    }),

    route(operations.resetClock, async () => {
      await setClockRight(context.db, clock);
      return state();
    }),
  ];
}
