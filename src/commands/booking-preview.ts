/** `pitlane booking preview`: the notice that a change would send to the customer. */
import type { Command } from 'commander';
import { InvalidInput } from '#base/operator-error.ts';
import { notTyped, typedTimeForms } from '#base/values/typed-time.ts';
import type { StaffChange } from '#product/notifications/change-preview.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

interface Flags {
  readonly confirm?: true;
  readonly cancel?: true;
  readonly reason?: string;
  readonly to?: string;
  readonly ready?: true;
  readonly text?: string;
}

export function registerPreview(booking: Command): void {
  const preview = {
    usage: 'preview <booking>',
    summary:
      'show the SMS and the e-mail that the customer would get for a change, or why none; sends nothing',
    examples: [
      'booking preview 7K3M9QXW --confirm',
      'booking preview 7K3M9QXW --to "tomorrow 2:30 pm"',
      'booking preview 7K3M9QXW --cancel --reason "The part is not in stock"',
    ],
  };
  verb<Flags>(booking, preview, ([idOrCode = ''], flags) =>
    withSession(async (session) => {
      const { bookingRecord } = await import('#product/bookings/record.ts');
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { previewChange } = await import('#product/notifications/change-preview.ts');
      const { parseTypedTime } = await import('#base/values/typed-time.ts');
      const found = await requireRecord(session.db, bookingRecord, idOrCode);
      const change = changeOf(flags, (typed) => parseTypedTime(typed, found.timezone, session.clock.now()));
      const of = { workshopId: found.workshopId, bookingId: found.id, change };
      const { sms, email } = await previewChange(session, of);
      const text = details({
        sms: sms.text === null ? `none: ${sms.none}` : `${sms.text.text} (${sms.text.segments} segments)`,
        email: email.text === null ? `none: ${email.none}` : `${email.text.subject}: ${email.text.body}`,
      });
      return { json: { sms, email }, text };
    }),
  )
    .option('--confirm', 'as if it were confirmed')
    .option('--to <time>', `as if it moved there: ${typedTimeForms}`)
    .option('--cancel', 'as if it were cancelled')
    .option('--reason <text>', 'why it is cancelled')
    .option('--ready', 'as if the car were marked ready')
    .option('--text <text>', 'in place of the text that the car is ready');
}

function changeOf(flags: Flags, timeOf: (typed: string) => Date | null): StaffChange {
  const { confirm, cancel, reason, to, ready, text } = flags;
  if ([confirm, cancel, to, ready].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('name one change: --confirm, --to, --cancel or --ready');
  if (confirm) return { kind: 'confirmed' };
  if (cancel) return { kind: 'cancelled', reason: reason ?? null };
  if (to === undefined) return { kind: 'ready', ...(text !== undefined && { text }) };
  const time = timeOf(to);
  if (time === null) throw new InvalidInput([{ field: 'to', message: notTyped }]);
  return { kind: 'moved', to: time };
}
