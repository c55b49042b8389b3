/** Brings the functions and triggers of a database to the edition of this code. */
import type { Queryable } from '../database.ts';
import { type Difference, differences, noted } from './differences.ts';
import { type FunctionFile, objectsOf, readFunctionFiles } from './source.ts';

/** A step: the statements of one transaction. */
export type Step = readonly {
  /** The file, for people. */
  readonly path: string;
  readonly sql: string;
}[];

export interface Plan {
  readonly steps: readonly Step[];
  /** The files of what is made or replaced. */
  readonly files: readonly string[];
}

/**
 * Returns the steps that bring the database to this code's editions; none where it has them, or later ones. All functions are one step, which waits
 * for no table: a statement has all of them as they were, or as they are now. Each trigger is a step, since it waits until nobody
 * writes to its table. `from` are the files; those of src/ unless given. Throws MigrationError.
 */
export async function planFunctions(db: Queryable, from?: readonly FunctionFile[]): Promise<Plan> {
  const objects = (from ?? (await readFunctionFiles())).flatMap(objectsOf);
  const found = await differences(db, objects);
  const functions = found.filter(({ object }) => object.kind === 'function');
  const triggers = found.filter(({ object }) => object.kind === 'trigger');
  const groups = [functions, ...triggers.map((trigger) => [trigger])];
  return {
    steps: groups.map((group) => group.flatMap(statementsOf)).filter((step) => step.length > 0),
    files: [...new Set(found.filter(({ action }) => action !== 'adopt').map(({ object }) => object.path))],
  };
}

/** A trigger of a migration is only noted, so that an upgrade does not wait for its table. */
function statementsOf({ object, action }: Difference): Step {
  const isMade = object.kind === 'trigger' && action === 'adopt';
  return [...(isMade ? [] : [object.sql]), noted(object)].map((sql) => ({ path: object.path, sql }));
}

/** The files of the functions and triggers that the database lacks, or has in an earlier edition. Throws MigrationError. */
export async function pendingFunctions(db: Queryable): Promise<readonly string[]> {
  return (await planFunctions(db)).files;
}
