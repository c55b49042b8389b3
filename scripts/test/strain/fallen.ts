/** What fell under strain, and how often: a table. */
import { type Failure, type FileResult, messageOf } from '../results.ts';

export interface Condition {
  /** Of the hour. */
  readonly hour: string;
  readonly seed: number;
}

/** A file that fell, under one condition, and how often it fell of the runs after that. */
export interface FallenFile {
  readonly file: string;
  readonly condition: Condition;
  readonly fell: number;
  readonly runs: number;
  readonly failures: readonly Failure[];
}

export const hasFallen = ({ failures }: FileResult) => failures.length > 0;

/** Lines of the table, one for each test of each file and hour that fell. */
export function tableOf(fallen: readonly FallenFile[]): string[] {
  const rows = fallen.flatMap(({ file, condition, fell, runs, failures }) =>
    [...new Map(failures.map((failure) => [failure.name, failure])).values()].map(({ name, error }) => [
      ...[file, condition.hour, `${condition.seed}`, `${fell} of ${runs}`, name],
      messageOf(error),
    ]),
  );
  const head = ['File', 'At', 'Seed', 'Fell', 'Test', 'Message'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
