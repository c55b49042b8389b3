/** STAND-IN until the store of conversations is there: nothing is kept. */
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import * as inbox from '#product/messaging/inbox/store.ts';

export interface Desk {
  readonly conversationId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly optedOut: boolean;
  readonly emailBounced: boolean;
  readonly isErased: boolean;
  readonly failed: boolean;
  readonly state: 'waiting' | 'open' | 'done';
  readonly assignedTo: { readonly personId: string; readonly name: string } | null;
  readonly version: number;
  readonly lastMessageId: string | null;
}
export interface Note {
  readonly noteId: string;
  readonly text: string;
  readonly author: string | null;
  readonly at: Date;
}
const desks = new Map<string, { done: boolean; assigned: string | null; notes: Note[]; version: number }>();
const of = (id: string) => {
  let d = desks.get(id);
  if (!d) {
    d = { done: false, assigned: null, notes: [], version: 1 };
    desks.set(id, d);
  }
  return d;
};

export async function findDesk(
  db: Queryable,
  workshopId: string,
  conversationId: string,
): Promise<Desk | null> {
  const head = await inbox.findConversation(db, conversationId);
  if (head?.workshopId !== workshopId) return null;
  const [row] = await db.query<{ w: boolean; id: string }>(
    `SELECT ${inbox.unanswered} AS w, m.id FROM message m WHERE m.conversation_id = $1 ORDER BY m.id DESC LIMIT 1`,
    [conversationId],
  );
  const d = of(conversationId);
  const [p] = d.assigned
    ? await db.query<{ name: string }>('SELECT name FROM person WHERE id = $1', [d.assigned])
    : [];
  return {
    ...head,
    state: d.done ? 'done' : row?.w ? 'waiting' : 'open',
    assignedTo: d.assigned && p ? { personId: d.assigned, name: p.name } : null,
    version: d.version,
    lastMessageId: row?.id ?? null,
  };
}
export async function listNotes(
  _db: Queryable,
  { conversationId }: { workshopId: string; conversationId: string; before: string | null; limit: number },
): Promise<Note[]> {
  return of(conversationId).notes;
}
export const listAssignable = (db: Queryable, workshopId: string) =>
  listMembers(db, workshopId, { after: null, limit: 200 });
type Which = { workshopId: string; conversationId: string; version: number };
type Al = ((tx: Queryable, written: undefined) => Promise<unknown>) | undefined;
const doIt = async (ctx: Context, w: Which, al: Al, f: (d: ReturnType<typeof of>) => void) => {
  const d = of(w.conversationId);
  await ctx.db.transaction(async (tx) => {
    await al?.(tx, undefined);
  });
  d.version++;
  f(d);
};
export const markDone = (c: Context, w: Which, _a: Actor, al?: Al) =>
  doIt(c, w, al, (d) => {
    d.done = true;
  });
export const markWaiting = (c: Context, w: Which, _a: Actor, al?: Al) =>
  doIt(c, w, al, (d) => {
    d.done = false;
  });
export const assign = (c: Context, w: Which & { personId: string | null }, _a: Actor, al?: Al) =>
  doIt(c, w, al, (d) => {
    d.assigned = w.personId;
  });
export const addNote = (c: Context, w: Omit<Which, 'version'> & { text: string }, a: Actor, al?: Al) =>
  doIt(c, { ...w, version: 1 }, al, (d) => {
    d.notes.unshift({ noteId: newId(), text: w.text, actor: 'person x', name: 'Kim Lee', at: c.clock.now() });
  });
export async function listConversations(
  db: Queryable,
  f: {
    workshopId: string;
    filter: 'waiting' | 'all' | 'done' | 'failed';
    assignedTo: string | null;
    search: string | null;
    before: string | null;
    limit: number;
  },
) {
  const rows = await inbox.listConversations(db, {
    workshopId: f.workshopId,
    unansweredOnly: f.filter === 'waiting',
    before: f.before,
    limit: f.limit,
  });
  return Promise.all(
    rows.map(async (r) => ({
      ...r,
      ...((await findDesk(db, f.workshopId, r.conversationId)) as Desk),
      lastMessageId: r.lastMessageId,
      lastDirection: r.unanswered ? 'inbound' : 'outbound',
    })),
  );
}
