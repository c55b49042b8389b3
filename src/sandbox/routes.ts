/**
 * The sandbox: what was "sent", and the movable clock (decisions, section 6). There is none with real gateways alone; answers and the
 * clock are there only where no gateway is real.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { advance } from '#db/business-clock.ts';
import { followedWithinMs } from '#db/business-clock-follower.ts';
import { invalidFields } from '#errors.ts';
import { noSecurity, problems } from '#http/openapi.ts';
import { cutPage, pageOf } from '#http/paging.ts';
import { receiveSms } from '#messaging/inbound/receive.ts';
import { newId } from '#values/id.ts';
import { formatInstant, parseInstant } from '#values/instant.ts';
import { parsePhone } from '#values/phone.ts';
import { advanceClockExamples, getClockExamples, inboundExamples, listMessagesExamples } from './examples.ts';
import { sandboxPage } from './page.ts';
import {
  AdvanceBody,
  advanceAtMostSeconds,
  ClockRef,
  InboundAnswer,
  InboundBody,
  MessagesAnswer,
  MessagesQuery,
  sandboxComponents,
} from './schema.ts';
import { listSandboxMessages } from './store.ts';
import { serveThisMachineOnly } from './this-machine-only.ts';

const tags = ['Sandbox'];
/** Of what came from elsewhere than this machine. */
const refusals = { 403: ['000003'] } as const;

/** People write a phone as they like; a `+` that was not escaped in the query arrives as a space. */
function recipient(to: string): string {
  if (to.includes('@')) return to.trim().replaceAll(' ', '+');
  const text = /^ \d/.test(to) ? `+${to.slice(1)}` : to.trim();
  return parsePhone(text, 'AU') ?? text;
}

export function sandboxRoutes(context: Context): FastifyPluginAsyncTypebox {
  const { db, clock, config, sandboxAlone } = context;
  const state = () => ({ now: formatInstant(clock.now()), advanceSeconds: clock.advanceSeconds() });

  return async (app) => {
    if (!config.sandboxForced) serveThisMachineOnly(app);
    for (const component of sandboxComponents) app.addSchema(component);
    await app.register(sandboxPage(db, sandboxAlone));

    app.get(
      '/sandbox/messages',
      {
        schema: {
          operationId: 'listSandboxMessages',
          tags,
          security: noSecurity,
          summary: 'Look at what was sent',
          description:
            'Newest first. The sandbox keeps the last 10,000 messages; `/sandbox` shows them as a page.',
          querystring: MessagesQuery,
          examples: listMessagesExamples,
          response: { 200: MessagesAnswer, ...problems(refusals) },
        },
      },
      async (request) => {
        const { to, since, channel, outcome = 'accepted' } = request.query;
        const { limit, after } = pageOf(request.query);
        const rows = await listSandboxMessages(db, {
          to: to === undefined ? undefined : recipient(to),
          channel,
          since: since === undefined ? undefined : (parseInstant(since) ?? undefined),
          outcome,
          limit: limit + 1,
          before: after ?? undefined,
        });
        const { items, nextCursor } = cutPage(rows, { limit, after });
        return {
          messages: items.map((message) => ({ ...message, at: formatInstant(message.at) })),
          nextCursor,
        };
      },
    );

    // Where something real is sent, an answer would opt a real customer out, and tokens would expire for everyone.
    if (!sandboxAlone) return;

    app.post(
      '/sandbox/inbound',
      {
        schema: {
          operationId: 'answerAsCustomer',
          tags,
          security: noSecurity,
          summary: 'Answer as the customer',
          description:
            'As if a gateway had brought an SMS. It lands in the inbox of its workshop, an unknown sender becomes a customer, ' +
            'the workshop is told, and STOP, START and their like opt the customer out and in.',
          body: InboundBody,
          examples: inboundExamples,
          response: { 200: InboundAnswer, ...problems(refusals) },
        },
      },
      async (request) => {
        const { to, body } = request.body;
        const from = parsePhone(request.body.from, 'AU');
        if (from === null) {
          throw invalidFields([
            { field: 'from', message: 'must be a valid phone number, or one with its country code' },
          ]);
        }
        const address = to === undefined || to === null ? '' : (parsePhone(to, 'AU') ?? to);
        const { repeated: _, ...placed } = await receiveSms(context, 'sandbox', {
          gatewayId: newId(),
          from,
          to: address,
          body,
        });
        return { placed: placed.messageId !== null, ...placed };
      },
    );

    app.get(
      '/sandbox/clock',
      {
        schema: {
          operationId: 'getClock',
          tags,
          security: noSecurity,
          summary: 'Read the clock',
          description: 'The business time, by which tokens expire and reminders fall due.',
          examples: getClockExamples,
          response: { 200: ClockRef, ...problems(refusals) },
        },
      },
      async () => state(),
    );

    app.post(
      '/sandbox/clock',
      {
        schema: {
          operationId: 'advanceClock',
          tags,
          security: noSecurity,
          summary: 'Move the clock forward',
          description:
            'For everything that takes long: the 48 hours of a token, the months of a reminder. It never goes back. ' +
            'By the time of the answer every process has followed.',
          body: AdvanceBody,
          examples: advanceClockExamples,
          response: { 200: ClockRef, ...problems(refusals) },
        },
      },
      async (request) => {
        const total = await advance(db, request.body.advanceSeconds, advanceAtMostSeconds);
        if (total === null) {
          const message = `would move the clock further than ${advanceAtMostSeconds} seconds all in all`;
          throw invalidFields([{ field: 'advanceSeconds', message }]);
        }
        // Answers may overtake each other; the clock never goes back.
        clock.setAdvance(Math.max(total, clock.advanceSeconds()));
        await sleep(followedWithinMs);
        return state();
      },
    );
  };
}
