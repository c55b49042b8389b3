/**
 * The positions of the parts of a plot. Horizontally in per cent, since a plot is as wide as its page; vertically in pixels, so
 * that letters and patterns keep their size. d3 is loaded by the first plot that a process draws.
 */

/** Values of each series, one for each column; none is negative. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Segment {
  /** Which series, from 0. */
  readonly series: number;
  /** Pixels from above. */
  readonly y: number;
  readonly height: number;
}

export interface Column {
  /** Its left side and width, in per cent. */
  readonly x: number;
  readonly width: number;
  readonly middle: number;
  /** The parts from the base line up; a series of 0 has none. */
  readonly segments: readonly Segment[];
}

export interface Geometry {
  readonly columns: readonly Column[];
  /** The ticks: whole numbers from 0, with their pixels from the top. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  /** The base line, in pixels from the top. */
  readonly base: number;
}

/** The least maximum of the scale, so that a single item does not fill the height. */
const leastHigh = 4;

/** Columns from a base line of zero, of which each holds its series one on the other. `top` and `base` are pixels from above. */
export async function stackedColumns(
  series: readonly Series[],
  { count, top, base }: { readonly count: number; readonly top: number; readonly base: number },
): Promise<Geometry> {
  const [{ scaleBand, scaleLinear }, { stack }] = await Promise.all([import('d3-scale'), import('d3-shape')]);
  const indexes = Array.from({ length: count }, (_, n) => n);
  const stacked = stack<number, number>()
    .keys(series.keys())
    .value((column, which) => series[which]?.values[column] ?? 0)(indexes);
  const highest = Math.max(leastHigh, ...stacked.flatMap((layer) => layer.map(([, upper]) => upper)));
  const up = scaleLinear().domain([0, highest]).nice(4).range([base, top]);
  const across = scaleBand<number>().domain(indexes).range([0, 100]).paddingInner(0.25).paddingOuter(0.125);
  const width = across.bandwidth();
  const columns = indexes.map((column) => {
    const x = across(column) ?? 0;
    const segments = stacked.flatMap((layer, which) => {
      const [lower = 0, upper = 0] = layer[column] ?? [];
      return upper > lower
        ? [{ series: which, y: rounded(up(upper)), height: rounded(up(lower) - up(upper)) }]
        : [];
    });
    return { x: rounded(x), width: rounded(width), middle: rounded(x + width / 2), segments };
  });
  const ticks = up
    .ticks(4)
    .filter(Number.isInteger)
    .map((value) => ({ value, y: rounded(up(value)) }));
  return { columns, ticks, base };
}

/** The length of each bar, in per cent of the longest. */
export async function barWidths(values: readonly number[]): Promise<number[]> {
  const { scaleLinear } = await import('d3-scale');
  const across = scaleLinear()
    .domain([0, Math.max(1, ...values)])
    .range([0, 100]);
  return values.map((value) => rounded(across(value)));
}

const rounded = (value: number) => Math.round(value * 100) / 100;

const atMostWide = 12;
const atMostNarrow = 6;

/**
 * Which columns have a label below: one in `wide` where there is room, one in `narrow` on a phone. `steps` are the distances that read well,
 * in ascending order.
 */
export function labelSteps(
  count: number,
  steps: readonly number[],
): { readonly wide: number; readonly narrow: number } {
  const wide = steps.find((step) => count / step <= atMostWide) ?? Math.max(1, Math.ceil(count / atMostWide));
  const narrow = wide * Math.max(1, Math.ceil(Math.ceil(count / wide) / atMostNarrow));
  return { wide, narrow };
}
