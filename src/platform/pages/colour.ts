/** A workshop's colour as pages use it: made darker or lighter where it would be hard to read (WCAG 2.2, 1.4.3 and 1.4.11). */

type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The cards of the light and the dark design, as `files/pages.css` has them. */
const cards = { light: white, dark: [27, 33, 42] } as const satisfies Record<string, Rgb>;

const readable = 4.5;
const visible = 3;

export interface Accent {
  /** The colour of buttons and marks. */
  readonly fill: string;
  /** The colour of the text on `fill`. */
  readonly onFill: string;
  /** The colour of links and selected items, on a card or on `soft`. */
  readonly text: string;
  /** Behind what is chosen. */
  readonly soft: string;
}

/** `colour`: `#rrggbb`. */
export function accentOf(colour: string, design: 'light' | 'dark'): Accent {
  const rgb = readHex(colour);
  const card = cards[design];
  const away = design === 'light' ? black : white;
  const fill = until(rgb, away, (each) => contrast(each, card) >= visible);
  const soft = mix(card, rgb, design === 'light' ? 0.1 : 0.22);
  const text = until(
    rgb,
    away,
    (each) => contrast(each, card) >= readable && contrast(each, soft) >= readable,
  );
  const onFill = contrast(white, fill) >= readable ? white : black;
  return { fill: hex(fill), onFill: hex(onFill), text: hex(text), soft: hex(soft) };
}

/** The contrast of two colours, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(readHex(one), readHex(other));
}

/** The first mixture, in steps of 2 %, with enough contrast; `end` itself always has it. */
function until(from: Rgb, end: Rgb, willDo: (colour: Rgb) => boolean): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(from, end, share);
    if (willDo(mixed)) return mixed;
  }
  return end;
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const at = (n: 0 | 1 | 2) => Math.round(one[n] * (1 - share) + other[n] * share);
  return [at(0), at(1), at(2)];
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function readHex(colour: string): Rgb {
  const at = (n: number) => Number.parseInt(colour.slice(n, n + 2), 16);
  return [at(1), at(3), at(5)];
}

const hex = (colour: Rgb) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
