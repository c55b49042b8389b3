/** Limits what visitors of pages trigger, exactly over all processes: uses are counted in the commit of the change itself. */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { markFromPage, type RecordedChange } from '#platform/events/page-withholds.ts';
import { tooManyRequests } from '#platform/http/rate-limit.ts';
import {
  judgeChange,
  keysOf,
  nameOf,
  type PageChange,
  type Take,
  type Verdict,
  windowSeconds,
} from './rules.ts';
import { addUses, lockUses, readUses, type Uses } from './store.ts';

type Needed = Pick<Context, 'config' | 'log'>;

/** A change that a visitor makes now, as opposed to a text that an earlier change triggered. */
export interface Visited extends PageChange {
  readonly workshopId: string;
  readonly address: string;
  /** A new booking: it is refused where its phone may get no SMS, as anyone can name a phone. */
  readonly isNew: boolean;
}

/**
 * Counts a change in its transaction, after it was written, and withholds the notices that are over a ceiling. Throws 429, which
 * undoes the change. Its rows are locked last, so that a transaction that holds them waits for no other lock.
 */
export async function boundChange(
  tx: Queryable,
  context: Needed,
  visited: Visited,
  changed: readonly RecordedChange[],
): Promise<void> {
  const uses = await lockUses(tx, keysOf(visited));
  const verdict = judged(context, visited, uses);
  requireRoomIn(verdict, uses, visited.isNew);
  await take(tx, context, verdict.takes, uses);
  for (const each of changed) await markFromPage(tx, each, verdict.withheld);
}

/** Throws what `boundChange` would throw, before any work is done for a booking that will be refused. */
export async function requireRoom(
  context: Needed & Pick<Context, 'db'>,
  visited: Omit<Visited, 'workshopSms'>,
): Promise<void> {
  const change = { ...visited, workshopSms: 0 };
  const uses = await readUses(context.db, keysOf(change));
  requireRoomIn(judged(context, change, uses), uses, visited.isNew);
}

/** An SMS to a customer that an earlier change on a page triggered, and that is due now. */
export interface LaterSms extends Pick<PageChange, 'workshopId' | 'country'> {
  readonly phone: string;
}

/** Counts these SMS and returns for each, in order, whether it may be sent: false when a ceiling is reached. */
export async function boundLaterSms(
  tx: Queryable,
  context: Needed,
  due: readonly LaterSms[],
): Promise<boolean[]> {
  if (due.length === 0) return [];
  const changes = due.map(({ phone, ...rest }) => ({
    ...{ ...rest, address: null, customer: { phone, email: null }, workshopSms: 0 },
  }));
  const keys = new Map(changes.flatMap(keysOf).map((key) => [nameOf(key), key]));
  const uses = await lockUses(tx, [...keys.values()]);
  const used = usedOf(uses);
  const takes = new Map<string, Take>();
  const mayGo = changes.map((change) => {
    const verdict = judgeChange(change, used, context.config.pageSmsPerWorkshop);
    for (const its of verdict.takes) {
      const name = nameOf(its);
      const { amount = 0, isOver = false } = takes.get(name) ?? {};
      takes.set(name, { ...its, amount: amount + its.amount, isOver: isOver || its.isOver });
      used.set(name, (used.get(name) ?? 0) + its.amount);
    }
    return verdict.withheld.length === 0;
  });
  await take(tx, context, [...takes.values()], uses);
  return mayGo;
}

const usedOf = (uses: readonly Uses[]) => new Map(uses.map((its) => [nameOf(its), its.used]));

const judged = ({ config }: Needed, change: PageChange, uses: readonly Uses[]) =>
  judgeChange(change, usedOf(uses), config.pageSmsPerWorkshop);

function requireRoomIn({ refusedBy, isPhoneOver }: Verdict, uses: readonly Uses[], isNew: boolean): void {
  const full = refusedBy ?? (isNew && isPhoneOver ? 'phone' : null);
  if (full === null) return;
  const { used = 0, resetMs = 0 } = uses.find(({ kind }) => kind === full) ?? {};
  const limit = { policy: `page-${full}`, quota: used, windowSeconds };
  const why =
    full === 'phone'
      ? 'This phone number has just got many messages'
      : 'There were many bookings and changes from here';
  throw tooManyRequests(limit, resetMs, why);
}

async function take(
  tx: Queryable,
  { log }: Needed,
  takes: readonly Take[],
  uses: readonly Uses[],
): Promise<void> {
  await addUses(tx, takes);
  const before = new Map(uses.map((its) => [nameOf(its), its.wasOver]));
  for (const its of takes) {
    if (its.kind === 'workshop' && its.isOver && before.get(nameOf(its)) !== true)
      log.warn({ workshopId: its.subject }, usedUp);
  }
}

const usedUp = 'the pages of a workshop have used up their SMS of the hour: what follows goes by e-mail only';
