/** `pitlane dead-letter …`: work that failed for good and waits for the operator. */

import type { Command } from 'commander';
import { foundById } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { maskedRecipient } from '#base/values/masked-recipient.ts';
import { ownValue } from '#base/values/own-value.ts';
import type { LetterDeed } from '#dead-letters.ts';
import type { ReadLetter } from '#operation/status/failed-work/letters.ts';
import type { DeadLetter } from '#platform/work/dead-letters/store.ts';
import {
  type GroupOptions,
  groupLimit,
  groupOf,
  namesGroup,
  withGroupOptions,
  withLetters,
} from './dead-letter-group.ts';
import { deadLetterHints } from './hints.ts';
import { type CommandResult, details } from './output.ts';
import { list } from './paging.ts';
import { type Session, withSession } from './session.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';
import { group, type VerbSpec, verb } from './verb.ts';

export function registerDeadLetter(program: Command): void {
  const examples = ['dead-letter list', 'dead-letter retry 0198c6a6-…'];
  const deadLetter = group(
    program,
    'dead-letter',
    'work that failed for good and waits for a person',
    examples,
  );
  registerReading(deadLetter);

  registerDeed(deadLetter, {
    spec: {
      usage: 'retry [letter]',
      summary: 'have the work tried again, with all its attempts before it: of one letter, or of a group',
      examples: [
        'dead-letter retry 0198c6a6-…',
        'dead-letter retry --reason restored',
        'dead-letter retry --job send --workshop harbour-motors',
      ],
    },
    deedOf: async () => (await import('#dead-letters.ts')).retryDeadLetter,
    field: 'retried',
    one: (id) => `the work of dead letter ${id} is tried again`,
    said: (count) => `the work of ${letters(count)} is tried again`,
  });
  registerDeed(deadLetter, {
    spec: {
      usage: 'discard [letter]',
      summary: 'delete a dead letter, or those of a group; their work is never done',
      examples: ['dead-letter discard 0198c6a6-…', 'dead-letter discard --reason restored'],
    },
    deedOf: async () => (await import('#dead-letters.ts')).discardDeadLetter,
    field: 'discarded',
    one: (id) => `dead letter ${id} is deleted`,
    said: (count) => `${letters(count)} ${count === 1 ? 'is' : 'are'} deleted`,
  });
}

const letters = (count: number) => `${count} dead letter${count === 1 ? '' : 's'}`;

interface Deed {
  readonly spec: VerbSpec;
  /** Loaded when the command runs. */
  readonly deedOf: () => Promise<LetterDeed>;
  /** The field of `--json`. */
  readonly field: 'retried' | 'discarded';
  readonly one: (id: string) => string;
  readonly said: (count: number) => string;
}

function registerDeed(deadLetter: Command, { spec, deedOf, field, one, said }: Deed): void {
  type Options = GroupOptions & { readonly limit?: string; readonly after?: string };
  const command = verb<Options>(deadLetter, spec, async ([letterId], options) => {
    if (!namesGroup(options)) {
      await withOne(letterId, await deedOf());
      return { json: { letterId, [field]: true }, text: one(letterId ?? '') };
    }
    if (letterId !== undefined)
      throw new UsageError('name a dead letter, or a group by --reason, --job or --workshop, not both');
    const deed = await deedOf();
    return withSession((session) => withLetters(session, options, { deed, field, said }));
  });
  withGroupOptions(command, 'all')
    .option('--limit <number>', `how many at most, 1 to ${groupLimit}; ${groupLimit} unless given`)
    .option('--after <id>', 'those after this letter: where the call before has stopped');
}

function withOne(letterId: string | undefined, deed: LetterDeed): Promise<void> {
  if (letterId === undefined)
    throw new UsageError('name a dead letter, or a group by --reason, --job or --workshop');
  return withSession(async (session) => {
    await foundById('dead letter', letterId, () => deed(session, actors.operator, letterId));
  });
}

function registerReading(deadLetter: Command): void {
  const command = list<ReadLetter, GroupOptions & { readonly by?: string }>(deadLetter, {
    usage: 'list',
    summary: 'list dead letters, the newest first, or count them',
    examples: [
      'dead-letter list',
      'dead-letter list --by workshop',
      'dead-letter list --job send --workshop harbour-motors --limit 20',
    ],
    what: 'letter',
    cursor: 'before',
    columns,
    cursorOf: ({ id }) => id,
    json: listed,
    async open(session, _, options) {
      const group = await groupOf(session, options);
      const { newestOf } = await import('#operation/status/failed-work/letters.ts');
      return ({ cursor: before, limit }) => newestOf(session.db, group, { before, limit });
    },
    counted,
  });
  withGroupOptions(command, 'those').option(
    '--by <reason|job|workshop>',
    'count them by that, in place of a list',
  );

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

async function counted(
  session: Session,
  options: GroupOptions & { readonly by?: string },
): Promise<CommandResult | null> {
  const { countLetters, groupings } = await import('#operation/status/failed-work/letters.ts');
  if (options.by === undefined) return null;
  const by = groupings.find((each) => each === options.by);
  if (by === undefined) throw new UsageError(`--by must be ${groupings.join(', ')}`);
  const rows = await countLetters(session.db, await groupOf(session, options), by);
  const json = rows.map(({ name, workshopId, ...counts }) => ({
    ...{ [by]: name, ...(by === 'workshop' && { workshopId }) },
    ...counts,
  }));
  const text = table(rows, {
    [by.toUpperCase()]: ({ name }) => name,
    LETTERS: ({ letters }) => letters,
    OLDEST: ({ oldestAt }) => oldestAt,
    NEWEST: ({ newestAt }) => newestAt,
  });
  return { json, text };
}

/** With a hint beside the detail. */
function named<Letter extends DeadLetter>({ id, detail, ...rest }: Letter) {
  const hint = ownValue(deadLetterHints, rest.reason);
  return { letterId: id, ...rest, detail: hint === undefined || detail === null ? detail : detail + hint };
}

/** In a list nobody's whole address stands; `show` has it. */
const listed = ({ recipient, ...letter }: ReadLetter) => ({
  ...named(letter),
  recipient: recipient === null ? null : maskedRecipient(recipient),
});

const columns = {
  LETTER: (row: ReadLetter) => row.id,
  JOB: (row: ReadLetter) => row.job,
  REASON: (row: ReadLetter) => row.reason,
  ATTEMPTS: (row: ReadLetter) => row.attempts,
  AT: (row: ReadLetter) => row.createdAt,
  WORKSHOP: (row: ReadLetter) => row.workshop,
  PARTNER: (row: ReadLetter) => row.partner,
  RECIPIENT: (row: ReadLetter) => listed(row).recipient,
  DETAIL: (row: ReadLetter) => named(row).detail,
};
