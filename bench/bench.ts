/** What a named bench is, and what it hands back. */
import type { Row } from './report.ts';
import type { SharedInstallation } from './shared.ts';

/** How much is measured. */
export interface Size {
  /** A fifth of the time, for trying the bench itself. */
  readonly quick: boolean;
  readonly rounds: number;
  readonly seconds: number;
}

export interface Found {
  readonly rows?: readonly Row[];
  /** What else was measured, or why something was not: whole sentences. */
  readonly notes?: readonly string[];
  /** A section of its own below the table. */
  readonly section?: string;
}

export interface Bench {
  /** For `--only`. */
  readonly name: string;
  readonly what: string;
  /** Left out when all are run. */
  readonly isExtra?: true;
  readonly run: (size: Size, shared: SharedInstallation) => Promise<Found>;
}

/** A bench with an installation of its own: the shared one rests meanwhile. */
export const alone =
  (run: (size: Size) => Promise<Found>): Bench['run'] =>
  async (size, shared) => {
    await shared.stop();
    return run(size);
  };
