/** The operations of messaging (specification: Messages). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems, pageQuery } from '#platform/http/paging.ts';
import { workshopPath } from '#product/workshops/access/path.ts';
import { getMessageDetails, sendMessageDetails } from './details.ts';
import { getMessageExamples, listTemplatesExamples, sendMessageExamples } from './examples.ts';
import { InboxTemplate, MessageAnswer, SendMessageBody, SmsResultRef } from './schema.ts';

export const sendMessage = operation({
  id: 'sendMessage',
  method: 'POST',
  path: '/workshops/{id}/messages',
  tag: 'Messaging',
  access: 'partner',
  summary: 'Send an SMS to a customer',
  description:
    'Free text or a published template, through the inbox of the workshop. 200 with `success: false` means that the ' +
    'request was valid but the SMS was not sent: always check `sms.sent`. With a `referenceId`, a call that was ' +
    'sent is not sent again, and one that failed is attempted again. At most 5 requests a second for one workshop ' +
    'and customer.',
  details: sendMessageDetails,
  checksBody: true,
  meanings: {
    phone: ['to', 'recipient', 'number', 'mobile', 'msisdn'],
    'channels.sms.message': ['body', 'text', 'message', 'content'],
  },
  params: Type.Object(workshopPath),
  body: SendMessageBody,
  success: { status: 200, schema: SmsResultRef },
  refusals: {
    400: ['060001'],
    403: ['000003', '000004'],
    404: ['030001', '040001', '060001'],
    409: ['000009'],
    429: [],
  },
  examples: sendMessageExamples,
});

export const getMessage = operation({
  id: 'getMessage',
  method: 'GET',
  path: '/workshops/{id}/messages/{messageId}',
  tag: 'Messaging',
  access: 'partner',
  summary: 'Read a message that you sent',
  description: 'Its present state, which delivery reports change, and each attempt to send it.',
  details: getMessageDetails,
  params: Type.Object({
    ...workshopPath,
    messageId: out.string({ description: "The message's id.", examples: [exampleIds.message] }),
  }),
  success: { status: 200, schema: MessageAnswer },
  refusals: { 404: ['030001', '120001'] },
  examples: getMessageExamples,
});

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'GET',
  path: '/workshops/{id}/templates',
  tag: 'Messaging',
  access: 'partner',
  summary: 'List the published inbox templates',
  description: 'Each can be named as `templateId` of a message. The service fills the placeholders.',
  params: Type.Object(workshopPath),
  query: Type.Object(pageQuery),
  success: { status: 200, schema: pageOfItems('templates', ref(InboxTemplate), 'A page of templates.') },
  refusals: { 403: ['000003', '000004'], 404: ['030001'] },
  examples: listTemplatesExamples,
});
