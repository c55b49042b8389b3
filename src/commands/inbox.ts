/** `pitlane inbox …`: customers' answers, and replies to them. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { UnmatchedSms } from '#product/messaging/inbound/store.ts';
import type { TalkFilter } from '#product/messaging/inbox/desk/talk-sql.ts';
import type { InboxConversation, InboxMessage } from '#product/messaging/inbox/store.ts';
import type { HeardKind, KindName } from '#product/sending/kinds.ts';
import { styled } from './colours.ts';
import { type GroundFlags, groundOf, withGround } from './ground.ts';
import { inWords, registerAttachment } from './inbox-attachment.ts';
import { conversationIn } from './inbox-conversation.ts';
import { personOf, registerDesk } from './inbox-desk.ts';
import { registerReceiveMail } from './inbox-mail.ts';
import { details, note, oneLine } from './output.ts';
import { list, type Page, readPage, withPaging } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';
import { withWorkshop, withWorkshopFilter, workshopFilter } from './workshop-option.ts';
import { indented } from './wrap.ts';

export function registerInbox(program: Command): void {
  const examples = [
    'inbox list --unanswered',
    'inbox show 0198c6a8-…',
    'inbox reply "0491 570 006" --text "Yes, at 5 pm."',
  ];
  const inbox = group(program, 'inbox', 'conversations with customers', examples);
  registerList(inbox);
  registerShow(inbox);
  registerDesk(inbox);
  registerAttachment(inbox);
  registerReceiveMail(inbox);

  const reply = {
    usage: 'reply <conversation>',
    summary:
      "send an SMS of the workshop's own in a conversation, by its id, a phone or a booking code; a running server delivers it",
    examples: [
      'inbox reply 0198c6a8-… --text "Yes, at 5 pm."',
      'inbox reply "0491 570 006" --text "Yes, at 5 pm."',
      'inbox reply 7K3M9QXW --text "Yes, at 5 pm."',
    ],
  };
  const replied = verb<GroundFlags & { text: string; workshop?: string }>(
    inbox,
    reply,
    ([named = ''], { text, workshop, ...flags }) =>
      withSession(async (session) => {
        const { reply: send } = await import('#product/messaging/inbox/reply.ts');
        const { conversationId } = await conversationIn(session, named, workshop);
        const ground = groundOf(flags);
        const queued = await send(session, conversationId, text, actors.operator, { ground });
        note('It is sent when a server runs, at once or later: pitlane inbox show tells.');
        return { json: queued, text: details({ ...queued }) };
      }),
  );
  withGround(withWorkshop(replied, whoseConversation)).requiredOption(
    '--text <text>',
    'what to say, at most 10 SMS segments (required)',
  );

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
      const { listUnmatched } = await import('#product/messaging/inbound/store.ts');
      return ({ cursor: before, limit }) => listUnmatched(db, { before, limit });
    },
  }).alias('unplaced');
}

function registerList(inbox: Command): void {
  const listed = list<InboxConversation, ListFlags>(inbox, {
    usage: 'list',
    summary: 'list conversations by their latest message, the newest first',
    examples: [
      'inbox list',
      'inbox list --workshop carlton-motors --unanswered',
      'inbox list --filter failed',
      'inbox list --before 0198c6a8-… --json',
    ],
    what: 'latest message',
    cursor: 'before',
    columns: async () => conversationColumns(await import('#base/values/phone.ts')),
    cursorOf: ({ lastMessageId }) => lastMessageId,
    json: (row) => ({ ...row, unanswered: row.state === 'waiting' }),
    async open(session, _, { workshop, unanswered, filter, assignedTo }) {
      const { listConversations } = await import('#product/messaging/inbox/store.ts');
      const workshopId = (await workshopFilter(session, workshop))?.workshopId ?? null;
      const asked = {
        ...{ workshopId, filter: unanswered ? 'waiting' : await filterOf(filter) },
        assignedTo: assignedTo === undefined ? null : await personOf(session, assignedTo),
      } as const;
      return ({ cursor: before, limit }) => listConversations(session.db, { ...asked, before, limit });
    },
  });
  withWorkshopFilter(listed)
    .option(
      '--unanswered',
      'only those that wait for the workshop: the customer had the last word, what was sent since did not arrive, or staff said so; as --filter waiting',
    )
    .option('--filter <filter>', 'waiting, all, done or failed; unless given, all')
    .option(
      '--assigned-to <email>',
      'only those of this person, by the e-mail address that they sign in with',
    );
}

interface ListFlags {
  readonly workshop?: string;
  readonly unanswered?: true;
  readonly filter?: string;
  readonly assignedTo?: string;
}

async function filterOf(typed = 'all'): Promise<TalkFilter> {
  const { talkFilters } = await import('#product/messaging/inbox/desk/talk-sql.ts');
  const filter = talkFilters.find((each) => each === typed);
  if (filter === undefined) throw new UsageError(`--filter must be one of ${talkFilters.join(', ')}`);
  return filter;
}

function registerShow(inbox: Command): void {
  const show = {
    usage: 'show <conversation>',
    summary:
      'show the latest messages of a conversation, by its id, a phone or a booking code, oldest first, with the state of each',
    examples: [
      'inbox show 0198c6a8-…',
      'inbox show "0491 570 006"',
      'inbox show 7K3M9QXW --limit 200 --json',
    ],
    times: true,
  };
  const shown = withPaging(
    verb<Page & { workshop?: string }>(inbox, show, async ([named = ''], options) => {
      const { limit, cursor: before } = readPage(options);
      return withSession(async (session) => {
        const { listMessages } = await import('#product/messaging/inbox/store.ts');
        const { nameWritten, phoneIn } = await import('#base/values/phone.ts');
        const head = await conversationIn(session, named, options.workshop);
        const { conversationId, timezone, country } = head;
        const { db } = session;
        const rows = await listMessages(db, { conversationId, before, limit: limit + 1 });
        const messages = rows.slice(0, limit).reverse();
        if (rows.length > limit) note(`There are older ones: --before ${messages[0]?.messageId}`);
        const phone = head.phone && phoneIn(country, head.phone);
        const name = head.name && nameWritten(head.name, country);
        const said = messages.map((message) => messageText(message, timezone));
        const text = [details({ ...head, name, phone }), ...said].join('\n\n');
        return { json: { ...head, messages }, text };
      });
    }),
    'message',
  );
  withWorkshop(shown, whoseConversation);
}

const whoseConversation = 'in which workshop a phone is looked for';

const shortly = (text: string) => ([...text].length > 60 ? `${[...text].slice(0, 59).join('')}…` : text);

const conversationColumns = ({ nameWritten, phoneIn }: typeof import('#base/values/phone.ts')) => ({
  CONVERSATION: (row: InboxConversation) => row.conversationId,
  CUSTOMER: (row: InboxConversation) => row.name && nameWritten(row.name, row.country),
  PHONE: (row: InboxConversation) => row.phone && phoneIn(row.country, row.phone),
  STATE: (row: InboxConversation) => row.state,
  FAILED: (row: InboxConversation) => row.failed,
  'ASSIGNED TO': (row: InboxConversation) => row.assignedTo?.name,
  'ASKS TO STOP': (row: InboxConversation) => row.asksToStop,
  'OPTED OUT': (row: InboxConversation) => row.optedOut,
  BOUNCED: (row: InboxConversation) => row.emailBounced,
  WORKSHOP: (row: InboxConversation) => row.workshop,
  AT: (row: InboxConversation) => at(row.lastAt, row.timezone),
  'ITS STATE': (row: InboxConversation) => row.lastState,
  'LATEST MESSAGE': (row: InboxConversation) => shortly(row.lastText),
});

/** By the kind of the message. */
const writers: Readonly<Record<KindName | HeardKind, string>> = {
  ...{ inbound: 'customer', reaction: 'customer' },
  partnerMessage: 'partner',
  serviceReminder: 'reminder',
  bookingNotice: 'booking',
  carReady: 'car ready',
  quoteNotice: 'quote',
  ...{ reply: 'workshop', confirmation: 'workshop', helpAnswer: 'workshop', inboxDigest: 'workshop' },
  ...{ automation: 'workshop', blast: 'workshop' },
};

/**
 * Time, author and state, and below that the whole text, indented, so that no line of a customer's text looks like our own output.
 */
function messageText(message: InboxMessage, timezone: string): string {
  const { kind, state, reason, repeatsUnknown, detail, body, attachments } = message;
  const fate = [state, reason, repeatsUnknown ? 'perhaps sent twice' : null].filter(Boolean).join(', ');
  const heading = [at(message.at, timezone), writers[kind], fate].join('  ');
  const lines = body.split(/\r?\n|[\u2028\u2029]/).map((line) => indented(oneLine(line), '  '));
  const sent = attachments.map((each) => indented(oneLine(`${each.attachmentId} (${inWords(each)})`), '  '));
  const why = detail === null ? [] : [indented(oneLine(detail), '    ')];
  return [styled('bold', oneLine(heading)), ...why, ...lines, ...sent].join('\n');
}

const unmatchedColumns = {
  TEXT: (row: UnmatchedSms) => row.id,
  FROM: (row: UnmatchedSms) => row.from,
  TO: (row: UnmatchedSms) => row.to,
  GATEWAY: (row: UnmatchedSms) => row.gateway,
  AT: (row: UnmatchedSms) => row.receivedAt,
  BODY: (row: UnmatchedSms) => shortly(row.body),
};
