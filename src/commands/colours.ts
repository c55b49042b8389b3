/** Colours of the command line: headings, failures, and states. */
import { styleText } from 'node:util';
import { hasColours, type Output, terminal } from './terminal.ts';

export type Style = Parameters<typeof styleText>[0];

/** The text in this style, if the stream supports colours. */
export function styled(style: Style, text: string, stream: Output = terminal().stdout): string {
  return hasColours(stream, terminal().env) ? styleText(style, text, { validateStream: false }) : text;
}

const good =
  'active confirmed completed delivered accepted received sent booked quoted published enabled works on yes answered succeeded';
const waiting =
  'pending requested scheduled sending queued draft paused unknown superseded skipped voicemail waiting';
const bad =
  'failed undelivered expired cancelled declined suspended disabled off missed unanswered unpublished';

const styles = new Map<string, Style>([
  ...good.split(' ').map((word) => [word, 'green'] as const),
  ...waiting.split(' ').map((word) => [word, 'yellow'] as const),
  ...bad.split(' ').map((word) => [word, 'red'] as const),
]);

/** Columns with coloured states. */
export const statusColumn = /^(?:STATUS|STATE|OUTCOME|LINK)$/;

/** A status, padded or not, in the colour of its first word. */
export function statusStyled(text: string): string {
  const style = styles.get(/^\w+/.exec(text)?.[0] ?? '');
  return style === undefined ? text : styled(style, text);
}
