/** How long to wait before the next try to connect. */

export interface Pauses {
  /** After the first failure; doubles with each further one. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** After the carrier has refused the account: the same again would be refused as well. */
  readonly refusedMs: number;
}

export const usualPauses: Pauses = { firstMs: 1_000, mostMs: 60_000, refusedMs: 60_000 };

/** `failures` in a row, at least 1. Half of it is by chance, so that processes do not come all at once. */
export function pauseMs(
  { firstMs, mostMs, refusedMs }: Pauses,
  failures: number,
  isRefused: boolean,
): number {
  const fullMs = isRefused ? refusedMs : Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return fullMs * (0.5 + Math.random() / 2);
}
