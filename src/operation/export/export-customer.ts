/** Exports all data on a customer. It is read page by page, so that a large export delays no other work. */
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { readSlowly } from '#platform/db/long-statements.ts';
import { type OldReads, readOld, tenSeconds } from '#platform/db/replica/read-old.ts';
import { findApart } from '#product/customers/apart/store.ts';
import { findRows } from '#product/customers/merged/store.ts';
import { findCustomer } from '#product/customers/store.ts';
import type { Section } from './sections/section.ts';
import { sections } from './sections/store.ts';
import { type Page, type Row, readPage } from './store.ts';

export interface Asked {
  readonly workshopId: string;
  readonly customerId: string;
}

/** The formats of an export. */
export type ExportAs = 'json' | 'page';

/**
 * Records the export of a customer in the trail before any data is read. Throws 404 040001 for one who is not the workshop's, or
 * is erased.
 */
export async function recordExport(
  context: ChangeContext,
  { workshopId, customerId, as, actor }: RecordedExport,
): Promise<void> {
  await change(context, async ({ tx, now: at }) => {
    const customer = await findCustomer(tx, customerId);
    if (customer?.workshopId !== workshopId || customer.erasedAt !== null) throw new Problem('040001');
    const subject = { kind: 'customer', id: customer.customerId };
    const entry = { actor, workshopId, subject, action: 'customer.exported', at };
    await recordEntry(tx, { ...entry, after: { as } });
  });
}

export interface RecordedExport extends Asked {
  readonly as: ExportAs;
  readonly actor: Actor;
}

/** Some sections are read from end to end. */
const pageAllowed = { ...tenSeconds, withinMs: 60_000 };

/** Some rows of a section, in its order; the first of each comes even where there are none. */
export interface Part {
  readonly section: Section;
  readonly rows: readonly Row[];
  readonly isFirst: boolean;
}

/**
 * Pages in the order of the sections, over all rows of a merged customer. Concurrent changes may be in it or not, and so may those of the last ten
 * seconds. Whose customer it is is never old.
 */
export async function* exportParts(
  source: OldReads,
  { workshopId, customerId }: Asked,
): AsyncGenerator<Part> {
  const { db } = source;
  const customer = await findCustomer(db, customerId);
  if (customer?.workshopId !== workshopId) throw new Problem('040001');
  const rows = await findRows(db, workshopId, customerId);
  const of = { ...rows, ids: [...rows.ids, ...(await findApart(db, rows.ids))] };
  for (const section of sections) {
    let after: readonly string[] | null = null;
    let isFirst = true;
    do {
      const from: readonly string[] | null = after;
      // No connection is held while the caller consumes a page.
      const { rows, next }: Page = await readOld(
        source,
        pageAllowed,
        (old) => readPage(old, section, of, from),
        () => readSlowly(db, (tx) => readPage(tx, section, of, from)),
      );
      yield { section, rows, isFirst };
      after = next;
      isFirst = false;
    } while (after !== null);
  }
}
