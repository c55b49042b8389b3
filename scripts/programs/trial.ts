/** A trial of another program: what it makes, read by the product, or what it reads of what the product makes. */
import type { Left, Room } from './room.ts';

export interface Trial extends Room {
  /** What names it on the command line. */
  readonly name: string;
  readonly kind:
    | 'Mail servers'
    | 'Automatic answers, forwarding'
    | 'Mail programs'
    | 'Calendars'
    | 'Spreadsheets';
  readonly program: string;
  readonly tried: string;
  /** What came of it, in words. */
  result(left: Left): Promise<string>;
  /** What has to come of it. */
  readonly expected: string;
}
