/** `--workshop` of a command: by id or slug; the default is PITLANE_WORKSHOP, else the only workshop of the installation. */
import type { Command } from 'commander';
import type { Workshop } from '#product/workshops/store.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage-error.ts';

/** Options of a command whose `workshop` may be left out. */
export type Typed<Options extends { readonly workshop: string }> = Omit<Options, 'workshop'> & {
  readonly workshop?: string;
};

/** The option of a command about one workshop. */
export function withWorkshop(command: Command, what = 'the workshop'): Command {
  return command.option(
    '--workshop <workshop>',
    `${what}, by slug or id; unless given, that of PITLANE_WORKSHOP, or the only one`,
  );
}

/** The option of a list that can be limited to one workshop. */
export function withWorkshopFilter(command: Command): Command {
  return command.option(
    '--workshop <workshop>',
    'of one workshop only, by slug or id; unless given, of that of PITLANE_WORKSHOP; "": of all',
  );
}

type Needed = Pick<Session, 'db' | 'config'>;

/** Throws UsageError if several are possible, and OperatorError if there is none, or none with that name. */
export async function workshopOf({ db, config }: Needed, given: string | undefined): Promise<Workshop> {
  const { requireWorkshop } = await import('#product/workshops/store.ts');
  const named = given ?? config.workshop;
  if (named) return requireWorkshop(db, named);
  const only = await onlyWorkshop(db);
  if (only.workshop !== null) return only.workshop;
  const { OperatorError } = await import('#base/operator-error.ts');
  if (only.slugs.length === 0)
    throw new OperatorError('there is no workshop yet: pitlane workshop create makes one');
  throw new UsageError(
    `name the workshop: --workshop ${only.slugs.join(', or ')} (pitlane workshop list shows all), or set PITLANE_WORKSHOP`,
  );
}

/** Null: of all. Throws OperatorError when there is no workshop of that name. */
export async function workshopFilter(
  { db, config }: Needed,
  given: string | undefined,
): Promise<Workshop | null> {
  const { requireWorkshop } = await import('#product/workshops/store.ts');
  const named = given ?? config.workshop;
  return named ? requireWorkshop(db, named) : null;
}

/** The workshop in which a phone is searched; null if none is named and the installation has several. */
export async function likelyWorkshop(needed: Needed, given: string | undefined): Promise<Workshop | null> {
  return (await workshopFilter(needed, given)) ?? (await onlyWorkshop(needed.db)).workshop;
}

/** That many are named. */
const namedAtMost = 5;

async function onlyWorkshop(db: Session['db']) {
  const { listWorkshops } = await import('#product/workshops/store.ts');
  const found = await listWorkshops(db, { partnerId: null, after: null, limit: namedAtMost });
  const [first = null, ...more] = found;
  return { workshop: more.length === 0 ? first : null, slugs: found.map(({ slug }) => slug) };
}
