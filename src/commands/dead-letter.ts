/** `pitlane dead-letter …`: work that failed for good and waits for the operator. */
import type { Command } from 'commander';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import type { DeadLetter } from '#work/dead-letters/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
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
    usage: 'retry <letter>',
    summary: 'have the work tried again, with all its attempts before it',
    examples: ['dead-letter retry 0198c6a6-…'],
  };
  verb(deadLetter, retry, ([letterId = '']) =>
    withSession(async ({ db, clock }) => {
      const { retryDeadLetter } = await import('#dead-letters.ts');
      if (!isId(letterId) || !(await retryDeadLetter({ db, clock }, letterId))) throw unknownLetter(letterId);
      return {
        json: { letterId, retried: true },
        text: `the work of dead letter ${letterId} is tried again`,
      };
    }),
  );

  const discarding = {
    usage: 'discard <letter>',
    summary: 'delete a dead letter; its work is never done',
    examples: ['dead-letter discard 0198c6a6-…'],
  };
  verb(deadLetter, discarding, ([letterId = '']) =>
    withSession(async ({ db }) => {
      const { discardDeadLetter } = await import('#dead-letters.ts');
      if (!isId(letterId) || !(await discardDeadLetter(db, letterId))) throw unknownLetter(letterId);
      return { json: { letterId, discarded: true }, text: `dead letter ${letterId} is deleted` };
    }),
  );
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
      const { listDeadLetters } = await import('#work/dead-letters/store.ts');
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
      const { showDeadLetter } = await import('#work/dead-letters/store.ts');
      const letter = isId(letterId) ? await showDeadLetter(db, letterId) : null;
      if (!letter) throw unknownLetter(letterId);
      const { subjectOf } = await import('#status/failed-work/store.ts');
      const about = await subjectOf(db, letter.payload);
      const text = details(named(letter)) + (about === null ? '' : `\n\n${details(about)}`);
      return { json: { ...named(letter), about }, text };
    }),
  );
}

function named({ id, ...rest }: DeadLetter) {
  return { letterId: id, ...rest };
}

function unknownLetter(letterId: string): OperatorError {
  return new OperatorError(`there is no dead letter ${letterId} (pitlane dead-letter list shows them)`);
}

const columns = {
  LETTER: (row: DeadLetter) => row.id,
  JOB: (row: DeadLetter) => row.job,
  REASON: (row: DeadLetter) => row.reason,
  ATTEMPTS: (row: DeadLetter) => row.attempts,
  AT: (row: DeadLetter) => row.createdAt,
  DETAIL: (row: DeadLetter) => row.detail,
};
