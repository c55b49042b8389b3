/** Dead letters with whom they are about, as lists and groups read them. */
import type { Queryable } from '#platform/db/database.ts';
import {
  type DeadLetter,
  type LetterFilter,
  lettersAfter,
  listDeadLetters,
} from '#platform/work/dead-letters/store.ts';
import { type Parties, partiesOf } from './store.ts';

/** A group of letters; what is given narrows it. */
export interface LetterGroup extends LetterFilter {
  readonly workshopId?: string | undefined;
}

export type ReadLetter = DeadLetter & Parties;

/** The number of letters that are read at a time. */
const atOnce = 500;

/** Up to `limit` of a group, newest first, before the letter with the id `before`. */
export async function newestOf(
  db: Queryable,
  group: LetterGroup,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<ReadLetter[]> {
  const found: ReadLetter[] = [];
  for (let last: string | null = before; ; ) {
    const size = group.workshopId === undefined ? limit : atOnce;
    const letters: DeadLetter[] = await listDeadLetters(db, { ...group, before: last, limit: size });
    found.push(...(await ofGroup(db, group, letters)));
    last = letters.at(-1)?.id ?? null;
    if (found.length >= limit || letters.length < size || last === null) return found.slice(0, limit);
  }
}

/**
 * All of a group that are there at the beginning, oldest first, in parts; those that are added meanwhile are not among them, even when
 * they are of work that was just tried again.
 */
export async function* oldestOf(
  db: Queryable,
  group: LetterGroup,
  from: string | null = null,
): AsyncGenerator<readonly ReadLetter[]> {
  const upTo = (await listDeadLetters(db, { limit: 1 }))[0]?.id;
  if (upTo === undefined) return;
  for (let after = from; ; ) {
    const letters: DeadLetter[] = await lettersAfter(db, group, { after, upTo, limit: atOnce });
    yield await ofGroup(db, group, letters);
    after = letters.at(-1)?.id ?? null;
    if (letters.length < atOnce || after === null) return;
  }
}

async function ofGroup(
  db: Queryable,
  { workshopId }: LetterGroup,
  letters: readonly DeadLetter[],
): Promise<ReadLetter[]> {
  const parties = await partiesOf(
    db,
    letters.map(({ payload }) => payload),
  );
  return letters
    .map((letter, n): ReadLetter => ({ ...letter, ...(parties[n] as Parties) }))
    .filter((letter) => workshopId === undefined || letter.workshopId === workshopId);
}

export const groupings = ['reason', 'job', 'workshop'] as const;
export type Grouping = (typeof groupings)[number];

export interface CountedLetters {
  /** The reason, the job or the workshop's name; null: of no workshop. */
  readonly name: string | null;
  /** Only of a grouping by workshop. */
  readonly workshopId: string | null;
  readonly letters: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
}

/** The groups, the largest first. */
export async function countLetters(
  db: Queryable,
  group: LetterGroup,
  by: Grouping,
): Promise<CountedLetters[]> {
  const counted = new Map<string | null, CountedLetters>();
  for await (const letters of oldestOf(db, group)) {
    for (const letter of letters) {
      const workshopId = by === 'workshop' ? letter.workshopId : null;
      const key = by === 'workshop' ? workshopId : letter[by];
      const { createdAt } = letter;
      const { letters: before = 0, oldestAt = createdAt, newestAt = createdAt } = counted.get(key) ?? {};
      counted.set(key, {
        ...{ name: letter[by], workshopId, letters: before + 1 },
        oldestAt: new Date(Math.min(Number(createdAt), Number(oldestAt))),
        newestAt: new Date(Math.max(Number(createdAt), Number(newestAt))),
      });
    }
  }
  return [...counted.values()].toSorted((one, other) => other.letters - one.letters);
}
