/** The operations of the sandbox (specification: Sandbox). */
import { operation } from '#platform/http/operation.ts';
import {
  advanceClockDetails,
  answerAsCustomerDetails,
  listSandboxMessagesDetails,
  readSandboxConversationDetails,
} from './details.ts';
import {
  advanceClockExamples,
  conversationExamples,
  getClockExamples,
  inboundExamples,
  listMessagesExamples,
  resetClockExamples,
} from './examples.ts';
import {
  AdvanceBody,
  ClockRef,
  ConversationAnswer,
  ConversationQuery,
  InboundAnswer,
  InboundBody,
  MessagesAnswer,
  MessagesQuery,
} from './schema.ts';

export const listSandboxMessages = operation({
  id: 'listSandboxMessages',
  method: 'GET',
  path: '/sandbox/messages',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Look at what was sent',
  description: 'Newest first. The sandbox keeps the last 10,000 messages; `/sandbox` shows them as a page.',
  details: listSandboxMessagesDetails,
  query: MessagesQuery,
  success: { status: 200, schema: MessagesAnswer },
  refusals: {},
  examples: listMessagesExamples,
});

export const readSandboxConversation = operation({
  id: 'readSandboxConversation',
  method: 'GET',
  path: '/sandbox/conversation',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Look at a conversation',
  description: 'The SMS to one phone, of all workshops, and what was answered.',
  details: readSandboxConversationDetails,
  query: ConversationQuery,
  success: { status: 200, schema: ConversationAnswer },
  refusals: {},
  examples: conversationExamples,
});

export const answerAsCustomer = operation({
  id: 'answerAsCustomer',
  method: 'POST',
  path: '/sandbox/inbound',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Answer as the customer',
  description:
    'As if a gateway had brought an SMS. It lands in the inbox of its workshop, an unknown sender becomes a customer, ' +
    'the workshop is told, and STOP, START and their like opt the customer out and in.',
  details: answerAsCustomerDetails,
  body: InboundBody,
  success: { status: 200, schema: InboundAnswer },
  refusals: {},
  examples: inboundExamples,
});

export const getClock = operation({
  id: 'getClock',
  method: 'GET',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Read the clock',
  description: 'The business time, by which tokens expire and reminders fall due.',
  success: { status: 200, schema: ClockRef },
  refusals: {},
  examples: getClockExamples,
});

export const advanceClock = operation({
  id: 'advanceClock',
  method: 'POST',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Move the clock forward',
  description:
    'For everything that takes long: the 48 hours of a token, the months of a reminder. ' +
    'By the time of the answer every process has followed.',
  details: advanceClockDetails,
  body: AdvanceBody,
  success: { status: 200, schema: ClockRef },
  refusals: {},
  examples: advanceClockExamples,
});

export const resetClock = operation({
  id: 'resetClock',
  method: 'DELETE',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Take all moves of the clock back',
  description:
    "The business time is the machine's again. Dates that were given while it was ahead stay; tokens of that time live as long as new ones. " +
    'By the time of the answer every process has followed.',
  success: { status: 200, schema: ClockRef },
  refusals: {},
  examples: resetClockExamples,
});
