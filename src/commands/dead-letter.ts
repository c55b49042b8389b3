/** `pitlane dead-letter …`: work that failed for good and waits for the operator. */

import type { Command } from 'commander';
import { foundById } from '#base/operator-error.ts';
import { type Actor, actors } from '#base/values/actor.ts';
import { ownValue } from '#base/values/own-value.ts';
import type { DeadLetter } from '#platform/work/dead-letters/store.ts';
import { deadLetterHints } from './hints.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

export function registerDeadLetter(program: Command): void {
  const examples = ['dead-letter list', 'dead-letter retry 0198c6a6-…'];
  const deadLetter = group(
    program,
    'dead-letter',
    'work that failed for good and waits for a person',
    examples,
  );
  registerReading(deadLetter);

  const retry = {
    usage: 'retry [letter]',
    summary: 'have the work tried again, with all its attempts before it',
    examples: ['dead-letter retry 0198c6a6-…', 'dead-letter retry --reason restored'],
  };
  verb<ManyOptions>(deadLetter, retry, async ([letterId], { reason }) => {
    const { retryDeadLetter } = await import('#dead-letters.ts');
    if (reason !== undefined) {
      const retried = await withAll(reason, letterId, retryDeadLetter);
      return { json: { reason, retried }, text: `the work of ${retried} dead letters is tried again` };
    }
    await withOne(letterId, retryDeadLetter);
    return { json: { letterId, retried: true }, text: `the work of dead letter ${letterId} is tried again` };
  }).option('--reason <reason>', 'of all letters with this reason');

  const discarding = {
    usage: 'discard [letter]',
    summary: 'delete a dead letter; its work is never done',
    examples: ['dead-letter discard 0198c6a6-…', 'dead-letter discard --reason restored'],
  };
  verb<ManyOptions>(deadLetter, discarding, async ([letterId], { reason }) => {
    const { discardDeadLetter } = await import('#dead-letters.ts');
    if (reason !== undefined) {
      const discarded = await withAll(reason, letterId, discardDeadLetter);
      return { json: { reason, discarded }, text: `${discarded} dead letters are deleted` };
    }
    await withOne(letterId, discardDeadLetter);
    return { json: { letterId, discarded: true }, text: `dead letter ${letterId} is deleted` };
  }).option('--reason <reason>', 'all letters with this reason');
}

interface ManyOptions {
  readonly reason?: string;
}

/** The action on a letter; false for an unknown id. */
type Deed = (session: Session, actor: Actor, id: string) => Promise<boolean>;

function withOne(letterId: string | undefined, deed: Deed): Promise<void> {
  if (letterId === undefined) throw new UsageError('name a dead letter, or --reason');
  return withSession(async (session) => {
    await foundById('dead letter', letterId, () => deed(session, actors.operator, letterId));
  });
}

/** Each letter has its own transaction, so an interruption leaves the rest. Returns the number of letters. */
function withAll(reason: string, letterId: string | undefined, deed: Deed): Promise<number> {
  if (letterId !== undefined) throw new UsageError('name a dead letter or --reason, not both');
  return withSession(async (session) => {
    const { lettersOf } = await import('#platform/work/dead-letters/store.ts');
    let done = 0;
    for (let after: string | null = null; ; ) {
      const ids: string[] = await lettersOf(session.db, reason, after);
      for (const id of ids) if (await deed(session, actors.operator, id)) done++;
      const last = ids.at(-1);
      if (last === undefined) return done;
      after = last;
    }
  });
}

function registerReading(deadLetter: Command): void {
  list<DeadLetter>(deadLetter, {
    usage: 'list',
    summary: 'list dead letters, the newest first',
    examples: ['dead-letter list', 'dead-letter list --limit 20 --before 0198c6a6-…'],
    what: 'letter',
    cursor: 'before',
    columns,
    cursorOf: ({ id }) => id,
    json: named,
    async open({ db }) {
      const { listDeadLetters } = await import('#platform/work/dead-letters/store.ts');
      return ({ cursor: before, limit }) => listDeadLetters(db, { before, limit });
    },
  });

  const show = {
    usage: 'show <letter>',
    summary: 'show what failed, why, and whom it was for',
    examples: ['dead-letter show 0198c6a6-…'],
    times: true,
  };
  verb(deadLetter, show, ([letterId = '']) =>
    withSession(async ({ db }) => {
      const { showDeadLetter } = await import('#platform/work/dead-letters/store.ts');
      const letter = await foundById('dead letter', letterId, () => showDeadLetter(db, letterId));
      const { subjectOf } = await import('#operation/status/failed-work/store.ts');
      const about = await subjectOf(db, letter.payload);
      const text = details(named(letter)) + (about === null ? '' : `\n\n${details(about)}`);
      return { json: { ...named(letter), about }, text };
    }),
  );
}

/** With a hint beside the detail. */
function named({ id, detail, ...rest }: DeadLetter) {
  const hint = ownValue(deadLetterHints, rest.reason);
  return { letterId: id, ...rest, detail: hint === undefined || detail === null ? detail : detail + hint };
}

const columns = {
  LETTER: (row: DeadLetter) => row.id,
  JOB: (row: DeadLetter) => row.job,
  REASON: (row: DeadLetter) => row.reason,
  ATTEMPTS: (row: DeadLetter) => row.attempts,
  AT: (row: DeadLetter) => row.createdAt,
  DETAIL: (row: DeadLetter) => named(row).detail,
};
