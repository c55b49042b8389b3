/** The sandbox: what was "sent", and the movable clock (decisions, section 6). Only there without a real gateway. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { advance } from '#db/business-clock.ts';
import { invalidFields } from '#errors.ts';
import { instant, integer, nullable, out } from '#http/fields.ts';
import { problems } from '#http/openapi.ts';
import { cutPage, pageOf, pageQuery } from '#http/paging.ts';
import { formatInstant, parseInstant } from '#values/instant.ts';
import { parsePhone } from '#values/phone.ts';
import { sandboxPage } from './page.ts';
import { listSandboxMessages } from './store.ts';

const tags = ['Sandbox'];
/** Ten years: far enough for every reminder, and near enough for every date to stay one. */
const advanceAtMostSeconds = 10 * 365 * 86_400;

const SandboxMessage = Type.Object({
  id: out.uuid(),
  channel: out.string({ description: 'sms or email' }),
  outcome: out.string({ description: 'accepted or refused' }),
  to: out.string(),
  from: out.string(),
  subject: nullable(out.string()),
  body: out.string(),
  html: nullable(out.string()),
  calendar: nullable(out.string({ description: 'The invitation of an e-mail (iCalendar).' })),
  reference: out.string({ description: 'The id of the attempt.' }),
  at: out.instant(),
});

const ClockState = Type.Object({
  now: out.instant({ description: 'The business time.' }),
  advanceSeconds: out.integer({ description: 'How far it was moved forward, all in all.' }),
});

/** People write a phone as they like; a `+` that was not escaped in the query arrives as a space. */
function recipient(to: string): string {
  const text = /^ \d/.test(to) ? `+${to.slice(1)}` : to.trim();
  return text.includes('@') ? text : (parsePhone(text, 'AU') ?? text);
}

export function sandboxRoutes({ db, clock }: Context): FastifyPluginAsyncTypebox {
  const state = () => ({ now: formatInstant(clock.now()), advanceSeconds: clock.advanceSeconds() });

  return async (app) => {
    await app.register(sandboxPage);

    app.get(
      '/sandbox/messages',
      {
        schema: {
          operationId: 'listSandboxMessages',
          tags,
          summary: 'Look at what was sent',
          description: 'Newest first. The sandbox keeps the last 10,000 messages.',
          querystring: Type.Object({
            to: Type.Optional(Type.String({ maxLength: 255, description: 'A phone number or an e-mail address.' })),
            since: Type.Optional(instant({ description: 'Messages of this business time and later.' })),
            outcome: Type.Optional(
              Type.Unsafe<'accepted' | 'refused'>({ type: 'string', enum: ['accepted', 'refused'], default: 'accepted' }),
            ),
            ...pageQuery,
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 50 })),
          }),
          response: {
            200: Type.Object({
              messages: out.list(SandboxMessage),
              nextCursor: Type.Union([Type.String(), Type.Null()]),
            }),
            ...problems({}),
          },
        },
      },
      async (request) => {
        const { to, since, outcome = 'accepted' } = request.query;
        const { limit, after } = pageOf(request.query);
        const rows = await listSandboxMessages(db, {
          to: to === undefined ? undefined : recipient(to),
          since: since === undefined ? undefined : (parseInstant(since) ?? undefined),
          outcome,
          limit: limit + 1,
          before: after ?? undefined,
        });
        const { items, nextCursor } = cutPage(rows, { limit, after });
        return { messages: items.map((message) => ({ ...message, at: formatInstant(message.at) })), nextCursor };
      },
    );

    app.get(
      '/sandbox/clock',
      {
        schema: {
          operationId: 'getClock',
          tags,
          summary: 'Read the clock',
          response: { 200: ClockState, ...problems({}) },
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
          summary: 'Move the clock forward',
          description: 'For everything that takes long: the 48 hours of a token, the months of a reminder. It never goes back.',
          body: Type.Object({
            advanceSeconds: integer({ min: 0, max: advanceAtMostSeconds, examples: [172_800] }),
          }),
          response: { 200: ClockState, ...problems({}) },
        },
      },
      async (request) => {
        const total = await advance(db, request.body.advanceSeconds, advanceAtMostSeconds);
        if (total === null) {
          const message = `would move the clock further than ${advanceAtMostSeconds} seconds all in all`;
          throw invalidFields([{ field: 'advanceSeconds', message }]);
        }
        clock.setAdvance(total);
        return state();
      },
    );
  };
}
