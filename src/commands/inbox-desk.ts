/** `pitlane inbox done|waiting|not-meant|assign|note`: staff's changes to a conversation. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { Which } from '#product/messaging/inbox/desk/change.ts';
import type { Desk } from '#product/messaging/inbox/desk/store.ts';
import { conversationIn } from './inbox-conversation.ts';
import { details } from './output.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';
import { withWorkshop } from './workshop-option.ts';

interface Where {
  readonly workshop?: string;
}

export function registerDesk(inbox: Command): void {
  const named = 'by its id, a phone or a booking code';
  changing(
    inbox,
    {
      usage: 'done <conversation>',
      summary: `mark a conversation as done, ${named}: nobody needs to act until the customer writes again`,
      examples: ['inbox done 0198c6a8-…', 'inbox done "0491 570 006" --workshop carlton-motors'],
    },
    async (session, which) =>
      (await import('#product/messaging/inbox/desk/mark.ts')).markDone(session, which, actors.operator),
  );
  changing(
    inbox,
    {
      usage: 'waiting <conversation>',
      summary: `mark a conversation as waiting for the workshop again, ${named}`,
      examples: ['inbox waiting 0198c6a8-…', 'inbox waiting 7K3M9QXW --json'],
    },
    async (session, which) =>
      (await import('#product/messaging/inbox/desk/mark.ts')).markWaiting(session, which, actors.operator),
  );
  changing(
    inbox,
    {
      usage: 'not-meant <conversation>',
      summary: `say that a customer whose text may have asked for no more texts did not mean that, ${named}; who did is opted out by: pitlane customer opt-out`,
      examples: ['inbox not-meant 0198c6a8-…', 'inbox not-meant "0491 570 006" --json'],
    },
    async (session, which) =>
      (await import('#product/messaging/inbox/desk/decide-stop.ts')).stopNotMeant(
        session,
        which,
        actors.operator,
      ),
  );
  changing<{ to?: string; nobody?: true }>(
    inbox,
    {
      usage: 'assign <conversation>',
      summary: `say who of the workshop's people has a conversation, ${named}`,
      examples: ['inbox assign 0198c6a8-… --to kim@carlton.example', 'inbox assign 0198c6a8-… --nobody'],
    },
    async (session, which, { to, nobody }) => {
      if ((to === undefined) === (nobody === undefined)) throw new UsageError('give --to or --nobody');
      const { assign } = await import('#product/messaging/inbox/desk/assign.ts');
      const personId = to === undefined ? null : await personOf(session, to);
      return assign(session, { ...which, personId }, actors.operator);
    },
  )
    .option('--to <email>', 'one of the people of the workshop, by the e-mail address that they sign in with')
    .option('--nobody', 'nobody has it any more');
  changing<{ text: string }>(
    inbox,
    {
      usage: 'note <conversation>',
      summary: `write a note on a conversation, ${named}; it is for staff, and sent to nobody`,
      examples: ['inbox note 0198c6a8-… --text "Rang her, she comes on Friday."'],
    },
    async (session, which, { text }) =>
      (await import('#product/messaging/inbox/desk/add-note.ts')).addNote(
        session,
        { ...which, text },
        actors.operator,
      ),
  ).requiredOption('--text <text>', 'what to note, 1 to 2,000 characters (required)');
}

function changing<Options extends object>(
  inbox: Command,
  spec: { readonly usage: string; readonly summary: string; readonly examples: readonly string[] },
  work: (session: Session, which: Which, options: Options) => Promise<Desk>,
): Command {
  const command = verb<Options & Where>(inbox, spec, ([named = ''], options) =>
    withSession(async (session) => {
      const { workshopId, conversationId } = await conversationIn(session, named, options.workshop);
      const desk = await work(session, { workshopId, conversationId }, options);
      return {
        json: desk,
        text: details({
          ...desk,
          assignedTo: desk.assignedTo?.name ?? null,
          mayHaveMeant: desk.mayHaveMeant?.bookingId ?? null,
        }),
      };
    }),
  );
  return withWorkshop(command, 'in which workshop a phone is looked for');
}

/** By the e-mail address, or the id. */
export async function personOf({ db }: Session, email: string): Promise<string> {
  const { requirePerson } = await import('#product/people/store.ts');
  return (await requirePerson(db, email)).personId;
}
