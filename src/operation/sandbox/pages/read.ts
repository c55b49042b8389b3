/** Reads what /sandbox shows. */
import { html } from '@remix-run/html-template';
import type { Context } from '#platform/context.ts';
import type { Page } from '#platform/pages/layout.ts';
import { readConversation } from '../conversation.ts';
import { listMessages, wireMessage } from '../list.ts';
import { readSandboxMessage } from '../store.ts';
import { clockCard } from './clock.ts';
import { magicNumbersCard } from './magic-numbers.ts';
import type { Detail, ShownMessage } from './message.ts';
import { messagesPage } from './messages-page.ts';
import { filterOf, type Way } from './way.ts';

/** The result of a form of the page: the clock's card is open, or why a form was refused. */
export interface After {
  readonly isClockOpen?: boolean;
  readonly clockTrouble?: string;
  readonly answerRefused?: Detail['refused'];
}

export async function readMessagesPage(context: Context, way: Way, after: After = {}): Promise<Page> {
  const { messages, nextCursor } = await listMessages(context, filterOf(way));
  const chosen =
    way.message === null
      ? messages[0]
      : (messages.find(({ id }) => id === way.message) ?? (await readMessage(context, way.message)));
  const { clockTrouble = null, answerRefused = null, isClockOpen = clockTrouble !== null } = after;
  const clock = context.sandboxAlone ? clockCard(context.clock, clockTrouble, isClockOpen) : null;
  return messagesPage(way, {
    messages,
    hasMore: nextCursor !== null,
    detail: chosen ? await detailOf(context, chosen, answerRefused) : null,
    tools: html`${clock}${magicNumbersCard()}`,
  });
}

/** Null: it does not exist, or is gone. */
export async function readMessage(
  { db, config }: Pick<Context, 'db' | 'config'>,
  id: string,
): Promise<ShownMessage | null> {
  const row = await readSandboxMessage(db, id);
  return row && wireMessage(row, config.sandboxSegmentPrice);
}

async function detailOf(
  context: Context,
  message: ShownMessage,
  refused: Detail['refused'],
): Promise<Detail> {
  const { sandboxAlone: canAnswer, config } = context;
  if (message.channel === 'email') return { message, conversation: [], canAnswer, refused };
  // Through a real SMS gateway the answers are those of real customers.
  const conversation =
    config.smsGateways.length === 0
      ? (await readConversation(context, message.to)).messages
      : [{ ...message, direction: 'outbound' as const }];
  return { message, conversation, canAnswer, refused };
}
