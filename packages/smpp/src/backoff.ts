/** The pauses before further attempts to connect. */

export interface Pauses {
  /** The pause after the first failure; it doubles with each further one. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** The pause after the carrier refused the account, which it would do again. */
  readonly refusedMs: number;
}

export const usualPauses: Pauses = { firstMs: 1_000, mostMs: 60_000, refusedMs: 60_000 };

/** The pause after `failures` in a row, at least 1. Half of it is random, so that processes do not reconnect together. */
export function pauseMs(
  { firstMs, mostMs, refusedMs }: Pauses,
  failures: number,
  isRefused: boolean,
): number {
  const fullMs = isRefused ? refusedMs : Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return fullMs * (0.5 + Math.random() / 2);
}
