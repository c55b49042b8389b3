/** The manifest at the beginning of an archive lists its content; the totals at its end say how much of each there is. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '#base/operator-error.ts';

/** A reader refuses another one. It changes when a reader of this version would misread the archive. */
export const formatVersion = 1;

const Table = Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) });

const Manifest = Type.Object({
  /** Always `pitlane backup`. */
  kind: Type.Literal('pitlane backup'),
  format: Type.Literal(formatVersion),
  /** The version of Pitlane that wrote it. */
  pitlane: Type.String(),
  /** RFC 3339: the machine time of the snapshot. */
  createdAt: Type.String(),
  /** The version of the PostgreSQL that was backed up, such as `18.4`. */
  server: Type.String(),
  /** The migrations of that database, in order, with the SHA-256 of their texts. */
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  /** In the order of the archive. */
  tables: Type.Array(Table),
  /** A fingerprint that only tells whether a secret key is that of the backup; null: there was no key. */
  secretKeyMark: Type.Union([Type.String(), Type.Null()]),
});
export type Manifest = Static<typeof Manifest>;

const Totals = Type.Record(
  Type.String(),
  Type.Object({ rows: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() }),
);
/** By table: rows, and the bytes of its parts together with their SHA-256 in hex. */
export type Totals = Static<typeof Totals>;

/** Throws OperatorError when the file is not a backup of Pitlane, or has a newer format. */
export function readManifest(content: Buffer, file: string): Manifest {
  const value = parsed(content);
  if (Value.Check(Manifest, value)) return value;
  const { kind, format, pitlane } = Object(value);
  if (kind === 'pitlane backup' && Number.isInteger(format) && format > formatVersion) {
    throw new OperatorError(
      `${file} has format ${format}, and this version of Pitlane reads format ${formatVersion}: restore it with Pitlane ${pitlane} or newer`,
    );
  }
  throw notABackup(file);
}

/** Null when it is damaged. */
export function readTotals(content: Buffer): Totals | null {
  const value = parsed(content);
  return Value.Check(Totals, value) ? value : null;
}

export function notABackup(file: string): OperatorError {
  return new OperatorError(`${file} is not a backup of Pitlane`);
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
}
