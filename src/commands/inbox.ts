/** `pitlane inbox …`: customers' answers, and replies to them. */
import type { Command } from 'commander';
import type { UnmatchedSms } from '#messaging/inbound/store.ts';
import type { InboxConversation, InboxMessage } from '#messaging/inbox/store.ts';
import { inWords, registerAttachment } from './inbox-attachment.ts';
import { registerReceiveMail } from './inbox-mail.ts';
import { details, note } from './output.ts';
import { list, type Page, readPage, withPaging } from './paging.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at } from './times.ts';
import { group, verb } from './verb.ts';

export function registerInbox(program: Command): void {
  const examples = [
    'inbox list --unanswered',
    'inbox show 0198c6a8-…',
    'inbox reply 0198c6a8-… --text "Yes, at 5 pm."',
  ];
  const inbox = group(program, 'inbox', 'conversations with customers', examples);
  registerList(inbox);
  registerShow(inbox);
  registerAttachment(inbox);
  registerReceiveMail(inbox);

  const reply = {
    usage: 'reply <conversation>',
    summary: "send the customer an SMS of the workshop's own; a running server delivers it",
    examples: ['inbox reply 0198c6a8-… --text "Yes, at 5 pm."'],
  };
  verb<{ text: string }>(inbox, reply, ([conversationId = ''], { text }) =>
    withSession(async ({ db, clock }) => {
      const { reply: send } = await import('#messaging/inbox/reply.ts');
      const queued = await send(db, clock, conversationId, text);
      note('It is sent when a server runs, at once or later: pitlane inbox show tells.');
      return { json: queued, text: details({ ...queued }) };
    }),
  ).requiredOption('--text <text>', 'what to say, at most 10 SMS segments (required)');

  list<UnmatchedSms>(inbox, {
    usage: 'unmatched',
    summary: 'list texts of unknown senders to a number that is no workshop’s, the newest first',
    examples: ['inbox unmatched', 'inbox unmatched --limit 20 --before 0198c6a9-…'],
    what: 'text',
    cursor: 'before',
    columns: unmatchedColumns,
    cursorOf: ({ id }) => id,
    json: ({ id, ...rest }) => ({ unplacedId: id, ...rest }),
    async open({ db }) {
      const { listUnmatched } = await import('#messaging/inbound/store.ts');
      return ({ cursor: before, limit }) => listUnmatched(db, { before, limit });
    },
  }).alias('unplaced');
}

function registerList(inbox: Command): void {
  list<InboxConversation, { workshop?: string; unanswered?: true }>(inbox, {
    usage: 'list',
    summary: 'list conversations by their latest message, the newest first',
    examples: [
      'inbox list',
      'inbox list --workshop carlton-motors --unanswered',
      'inbox list --before 0198c6a8-… --json',
    ],
    what: 'latest message',
    cursor: 'before',
    columns: conversationColumns,
    cursorOf: ({ lastMessageId }) => lastMessageId,
    async open({ db }, _, { workshop, unanswered }) {
      const { requireWorkshop } = await import('#workshops/require.ts');
      const { listConversations } = await import('#messaging/inbox/store.ts');
      const workshopId = workshop === undefined ? null : (await requireWorkshop(db, workshop)).workshopId;
      const filter = { workshopId, unansweredOnly: unanswered === true };
      return ({ cursor: before, limit }) => listConversations(db, { ...filter, before, limit });
    },
  })
    .option('--workshop <id>', 'of one workshop only')
    .option(
      '--unanswered',
      'only those where the customer had the last word, or what was sent since did not arrive',
    );
}

function registerShow(inbox: Command): void {
  const show = {
    usage: 'show <conversation>',
    summary: 'show the latest messages of a conversation, oldest first, with what became of each',
    examples: ['inbox show 0198c6a8-…', 'inbox show 0198c6a8-… --limit 200 --json'],
    times: true,
  };
  withPaging(
    verb<Page>(inbox, show, async ([conversationId = ''], options) => {
      const { limit, cursor: before } = readPage(options);
      return withSession(async ({ db }) => {
        const { requireConversation } = await import('#messaging/inbox/require.ts');
        const { listMessages } = await import('#messaging/inbox/store.ts');
        const head = await requireConversation(db, conversationId);
        const rows = await listMessages(db, { conversationId, before, limit: limit + 1 });
        const messages = rows.slice(0, limit).reverse();
        if (rows.length > limit) note(`There are older ones: --before ${messages[0]?.messageId}`);
        const zoned = messages.map((message) => ({ ...message, timezone: head.timezone }));
        const text = `${details({ ...head })}\n\n${table(zoned, messageColumns)}`;
        return { json: { ...head, messages }, text };
      });
    }),
    'message',
  );
}

const shortly = (text: string) => ([...text].length > 60 ? `${[...text].slice(0, 59).join('')}…` : text);

const conversationColumns = {
  CONVERSATION: (row: InboxConversation) => row.conversationId,
  CUSTOMER: (row: InboxConversation) => row.name,
  PHONE: (row: InboxConversation) => row.phone,
  UNANSWERED: (row: InboxConversation) => row.unanswered,
  'OPTED OUT': (row: InboxConversation) => row.optedOut,
  WORKSHOP: (row: InboxConversation) => row.workshop,
  AT: (row: InboxConversation) => at(row.lastAt, row.timezone),
  STATE: (row: InboxConversation) => row.lastState,
  'LATEST MESSAGE': (row: InboxConversation) => shortly(row.lastText),
};

const writers: Readonly<Record<string, string>> = {
  inbound: 'customer',
  partnerMessage: 'partner',
  serviceReminder: 'reminder',
  bookingNotice: 'booking',
  quoteNotice: 'quote',
};

const messageColumns = {
  AT: (row: InboxMessage & { readonly timezone: string }) => at(row.at, row.timezone),
  FROM: (row: InboxMessage) => writers[row.kind] ?? 'workshop',
  STATE: (row: InboxMessage) =>
    [row.state, row.reason, row.repeatsUnknown ? 'perhaps sent twice' : null].filter(Boolean).join(', '),
  WHY: (row: InboxMessage) => row.detail,
  TEXT: (row: InboxMessage) => row.body,
  ATTACHMENTS: ({ attachments }: InboxMessage) =>
    attachments.map((each) => `${each.attachmentId} (${inWords(each)})`),
};

const unmatchedColumns = {
  TEXT: (row: UnmatchedSms) => row.id,
  FROM: (row: UnmatchedSms) => row.from,
  TO: (row: UnmatchedSms) => row.to,
  GATEWAY: (row: UnmatchedSms) => row.gateway,
  AT: (row: UnmatchedSms) => row.receivedAt,
  BODY: (row: UnmatchedSms) => shortly(row.body),
};
