/**
 * The sandbox: messages that were "sent", and the movable clock. It does not exist with real gateways
 * only; conversations exist only when no SMS gateway is real, answering as a customer and moving the clock when no gateway is.
 */

import { formatInstant } from '#base/values/instant.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { advanceClock } from './advance-clock.ts';
import { receiveAnswer } from './answer.ts';
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
    route(operations.answerAsCustomer, async ({ body }) => receiveAnswer(context, body)),

    route(operations.getClock, async () => state()),

    route(operations.advanceClock, async ({ body }) => {
      await advanceClock(context, body.advanceSeconds);
      return state();
    }),

    route(operations.resetClock, async () => {
      await setClockRight({ db: context.db, clock });
      return state();
    }),
  ];
}
