/** The options for the ground of texting a number. */
import type { Command } from 'commander';
import type { Ground } from '#product/messaging/staff/ground.ts';

export interface GroundFlags {
  readonly reason?: string | undefined;
  readonly allowAbroad?: true | undefined;
}

export function groundOf({ reason, allowAbroad }: GroundFlags): Ground {
  return { ...(reason !== undefined && { reason }), ...(allowAbroad && { allowAbroad }) };
}

export const withGround = (command: Command): Command =>
  command
    .option('--reason <text>', 'why a number without a booking may be texted; kept')
    .option(
      '--allow-abroad',
      'the owner lets this number of another country be texted, which nobody has written or booked from',
    );
