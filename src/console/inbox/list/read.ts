/** The rows of the list of conversations: conversations, or failed texts. */
import type { SafeHtml } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { findIdsAsTyped } from '#product/customers/search/find.ts';
import { listConversations } from '#product/messaging/inbox/store.ts';
import { countShown } from '../../frame/found.ts';
import { inSearchTurn } from '../../frame/search-turn.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { listFailed, sinceOf } from '../../waiting/store.ts';
import { stateMark } from '../thread/state.ts';
import { optedOutMark, talkMarks } from './marks.ts';
import { type Listing, queryFor } from './query.ts';

export interface Row {
  readonly key: string;
  /** Where it leads to. */
  readonly href: string;
  /** Its conversation; null: it has none. */
  readonly conversationId: string | null;
  readonly name: string | null;
  readonly text: string;
  /** The author of the last text: `They`, `Kim`. */
  readonly who: string;
  readonly at: Date;
  readonly marks: SafeHtml[];
}

export interface Listed {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null: there is none. */
  readonly next: string | null;
  /** Why the search was not run; null: it was run. */
  readonly refused: string | null;
  /** False: the search did not read all that begins like that. */
  readonly isWhole: boolean;
}

const rowsAtMost = 30;
/** The best customers of a search, whose conversations are listed. */
const searchedAtMost = 100;

/** Counts the customers of the rows as shown, and `openId`, the customer whose conversation is open. */
export async function readList(
  visit: WorkshopVisit,
  listing: Listing,
  openId: string | null = null,
): Promise<Listed> {
  const beside = openId === null ? [] : [openId];
  if (listing.filter === 'failed' && listing.search === null) return readFailed(visit, beside);
  try {
    return await readTalks(visit, listing, beside);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    await countShown(visit, beside);
    const refused = error.errors.map(({ message }) => `What you look for ${message}.`).join(' ');
    return { rows: [], next: null, refused, isWhole: true };
  }
}

async function readTalks(visit: WorkshopVisit, listing: Listing, beside: readonly string[]): Promise<Listed> {
  const { context, workshop, base, who } = visit;
  const { filter, search, before } = listing;
  const { workshopId, seesPhones } = workshop;
  // The texts of messages are not searched: an index over them would slow down every write.
  const sought =
    search === null
      ? null
      : await inSearchTurn(visit, () =>
          findIdsAsTyped(context.db, { workshopId, q: search, seesPhones }, searchedAtMost),
        );
  const found = await listConversations(context.db, {
    ...{ workshopId, before, limit: rowsAtMost + 1 },
    ...(sought !== null && { customerIds: sought.customerIds }),
    filter: filter === 'mine' ? 'all' : filter,
    assignedTo: filter === 'mine' ? who.personId : null,
  });
  const shown = found.slice(0, rowsAtMost);
  await countShown(visit, [...shown.map(({ customerId }) => customerId), ...beside]);
  return {
    rows: shown.map((talk) => ({
      key: talk.conversationId,
      href: `${base}/inbox/${talk.conversationId}${queryFor(listing)}`,
      conversationId: talk.conversationId,
      name: talk.name,
      text: talk.lastText,
      who: talk.lastState === 'received' ? 'They' : 'We',
      at: talk.lastAt,
      marks: talkMarks(talk, who.personId, workshop.timezone),
    })),
    next: found.length > shown.length ? (shown.at(-1)?.lastMessageId ?? null) : null,
    refused: null,
    isWhole: sought?.isWhole ?? true,
  };
}

/** Texts and e-mails of the last three days that did not arrive, notices too: as many as Today counts. */
async function readFailed(visit: WorkshopVisit, beside: readonly string[]): Promise<Listed> {
  const { context, workshop, base } = visit;
  const { threeDays } = sinceOf(context.clock);
  const failed = await listFailed(context.db, workshop.workshopId, threeDays);
  await countShown(visit, [...failed.map(({ customerId }) => customerId), ...beside]);
  return {
    rows: failed.map((text) => ({
      key: text.id,
      href:
        text.conversationId === null
          ? `${base}/customers/${text.customerId}#messages`
          : `${base}/inbox/${text.conversationId}?filter=failed#m-${text.id}`,
      conversationId: text.conversationId,
      name: text.name,
      text: text.body,
      who: 'We',
      at: text.createdAt,
      marks: [stateMark(text), text.optedOut ? optedOutMark : null].filter((mark) => mark !== null),
    })),
    next: null,
    refused: null,
    isWhole: true,
  };
}
