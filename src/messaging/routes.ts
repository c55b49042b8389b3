/** POST /workshops/{id}/messages and GET /workshops/{id}/messages/{messageId} (document, 4.4; decisions, section 5). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { out } from '#http/fields.ts';
import { partnerProblems, partnerSecurity } from '#http/openapi.ts';
import { exampleIds } from '#http/openapi-examples.ts';
import { rateLimitHeaders } from '#http/rate-limit.ts';
import { refuseInvalid } from '#http/validation.ts';
import { isId } from '#values/id.ts';
import { readGate } from '#workshops/access/store.ts';
import { getMessageExamples, sendMessageExamples } from './examples.ts';
import { smsResult } from './outcome.ts';
import { contentErrors, messageLimit } from './rules.ts';
import { MessageAnswer, SendMessageBody, SmsResultRef } from './schema.ts';
import { sendMessage } from './send.ts';
import { readMessage } from './store.ts';

const tags = ['Messaging'];
const WorkshopPath = {
  id: out.string({ description: "The workshop's id.", examples: [exampleIds.workshop] }),
};

export function messagingRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/workshops/:id/messages',
      {
        attachValidation: true,
        schema: {
          operationId: 'sendMessage',
          tags,
          summary: 'Send an SMS to a customer',
          description:
            'Free text or a published template, through the inbox of the workshop. 200 with `success: false` means that the ' +
            'request was valid but the SMS was not sent: always check `sms.sent`. With a `referenceId`, a call that was ' +
            'sent is not sent again, and one that failed is attempted again. At most 5 requests a second for one workshop ' +
            'and customer.',
          security: partnerSecurity,
          params: Type.Object(WorkshopPath),
          body: SendMessageBody,
          examples: sendMessageExamples,
          response: {
            200: SmsResultRef,
            ...partnerProblems({
              400: ['000001', '060001'],
              403: ['000003', '000004'],
              404: ['030001', '040001', '060001'],
              409: ['000009'],
              429: [],
            }),
          },
        },
      },
      async (request, reply) => {
        const { partnerId, body } = request;
        refuseInvalid(request, contentErrors(body));
        const { outcome, remaining } = await sendMessage(context, {
          partnerId,
          workshopId: request.params.id,
          body,
        });
        reply.headers(rateLimitHeaders(messageLimit, remaining, 1000));
        return smsResult(outcome, body.referenceId ?? null);
      },
    );

    app.get(
      '/workshops/:id/messages/:messageId',
      {
        schema: {
          operationId: 'getMessage',
          tags,
          summary: 'Read a message that you sent',
          description: 'Its state by now, which delivery reports change, and each attempt to send it.',
          security: partnerSecurity,
          params: Type.Object({
            ...WorkshopPath,
            messageId: out.string({ description: "The message's id.", examples: [exampleIds.message] }),
          }),
          examples: getMessageExamples,
          response: { 200: MessageAnswer, ...partnerProblems({ 404: ['030001', '120001'] }) },
        },
      },
      async (request) => {
        const { id, messageId } = request.params;
        const { partnerId } = request;
        const message =
          isId(id) && isId(messageId) ? await readMessage(context.db, partnerId, id, messageId) : null;
        if (message !== null) return { success: true as const, message };
        const isLinked = isId(id) && (await readGate(context.db, partnerId, id)) !== null;
        throw new Problem(isLinked ? '120001' : '030001');
      },
    );
  };
}
