/** The two builds that are compared: the one of REF, and the present one. */
export const sideNames = ['before', 'now'] as const;
export type SideName = (typeof sideNames)[number];
export type Pair<Of> = Readonly<Record<SideName, Of>>;

/** How many times what it was; 1 where there was nothing and is nothing. */
export const ratio = ({ before, now }: Pair<number>): number =>
  before === 0 ? (now === 0 ? 1 : Number.POSITIVE_INFINITY) : now / before;
