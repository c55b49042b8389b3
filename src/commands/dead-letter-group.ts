/** The options of `pitlane dead-letter` that choose a group, and what is done with all of one. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { LetterDeed } from '#dead-letters.ts';
import type { LetterGroup } from '#operation/status/failed-work/letters.ts';
import { type CommandResult, note } from './output.ts';
import { readPage } from './paging.ts';
import { transferNotes } from './progress.ts';
import type { Session } from './session.ts';

export interface GroupOptions {
  readonly reason?: string;
  readonly job?: string;
  readonly workshop?: string;
}

/** Adds the options; `what` they are, for their help. */
export function withGroupOptions(command: Command, what: string): Command {
  return command
    .option('--reason <reason>', `${what} with this reason`)
    .option('--job <job>', `${what} of this kind of work`)
    .option('--workshop <workshop>', `${what} about this workshop, by slug or id`);
}

export const namesGroup = ({ reason, job, workshop }: GroupOptions): boolean =>
  [reason, job, workshop].some((each) => each !== undefined);

/** Throws OperatorError for an unknown workshop. Letters of an earlier release may have other reasons and jobs than ours. */
export async function groupOf(
  { db }: Session,
  { reason, job, workshop }: GroupOptions,
): Promise<LetterGroup> {
  if (workshop === undefined) return { reason, job };
  const { requireWorkshop } = await import('#product/workshops/store.ts');
  const { workshopId } = await requireWorkshop(db, workshop);
  return { reason, job, workshopId };
}

/** The most letters of one call. */
export const groupLimit = 1_000;

interface Many {
  readonly deed: LetterDeed;
  /** The field of `--json` with the number: `retried`. */
  readonly field: string;
  /** The line about a number of letters. */
  readonly said: (count: number) => string;
}

export async function withLetters(
  session: Session,
  options: GroupOptions & { readonly limit?: string; readonly after?: string },
  { deed, field, said }: Many,
): Promise<CommandResult> {
  const { limit: limitText = String(groupLimit), after: from } = options;
  const { limit, cursor } = readPage({ limit: limitText, ...(from !== undefined && { after: from }) });
  const group = await groupOf(session, options);
  const { withGroup } = await import('#dead-letters.ts');
  const notes = transferNotes('judged', 'dead letters');
  try {
    const onJudged = () => notes.progress({ rows: 1 });
    const bounds = { limit, after: cursor, onJudged };
    const { done, refused, refusals, after } = await withGroup(session, actors.operator, group, deed, bounds);
    if (done + refused === 0)
      note('No dead letter is one of these; dead-letter list --by reason (job, workshop) counts them.');
    if (after !== null) note(`There are more: --after ${after} goes on with them.`);
    const lines = [
      said(done),
      ...(refused === 0 ? [] : [`${refused} stay, each for its own reason:`]),
      ...refusals.map(({ letterId, message }) => `  ${letterId}: ${message}`),
      ...(refused > refusals.length ? ['  …'] : []),
    ];
    return { json: { ...group, [field]: done, refused, refusals, after }, text: lines.join('\n') };
  } finally {
    notes.end();
  }
}
