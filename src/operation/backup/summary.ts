/** The summary of a backup for the operator. */
import type { Manifest, Totals } from './manifest.ts';

export interface Summary {
  /** Machine time of the snapshot, RFC 3339. */
  readonly createdAt: string;
  /** The version of Pitlane that wrote it. */
  readonly pitlane: string;
  /** The version of the PostgreSQL that it was read from. */
  readonly server: string;
  /** The newest migration of its tables. */
  readonly migration: string;
  readonly tables: number;
  readonly rows: number;
}

/** Called for each part, with its rows and bytes. */
export type Progress = (done: { readonly rows: number; readonly bytes: number }) => void;

export function summaryOf(
  { createdAt, pitlane, server, migrations, tables }: Manifest,
  totals: Totals,
): Summary {
  const rows = Object.values(totals).reduce((sum, each) => sum + each.rows, 0);
  return {
    createdAt,
    pitlane,
    server,
    migration: migrations.at(-1)?.name ?? '',
    tables: tables.length,
    rows,
  };
}
