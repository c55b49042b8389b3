/** `pitlane availability`: the free times of a workshop, for staff on the phone. */
import type { Command } from 'commander';
import { typedDayForms } from '#base/values/typed-time.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import type { FreeTimesInput } from '#product/bookings/staff/free-times.ts';
import { styled } from './colours.ts';
import { withSession } from './session.ts';
import { collect, verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';
import { indented } from './wrap.ts';

export function registerAvailability(program: Command): void {
  const availability = {
    usage: 'availability',
    summary: "show a workshop's free times, of today and the six days after it, in its own zone",
    examples: [
      'availability --day tomorrow',
      'availability --workshop carlton-motors --service logbook --day 2030-03-04 --days 3',
    ],
  };
  const shown = verb<FreeTimesInput & { readonly workshop?: string }>(
    program,
    availability,
    (_, { workshop: named, ...input }) =>
      withSession(async (session) => {
        const { freeTimes } = await import('#product/bookings/staff/free-times.ts');
        const workshop = await workshopOf(session, named);
        const days = await freeTimes(session, workshop, input);
        const { workshopId, timezone } = workshop;
        return { json: { workshopId, timezone, days }, text: days.map(dayText).join('\n') };
      }),
  );
  withWorkshop(shown)
    .option('--day <day>', `one day: ${typedDayForms}`)
    .option('--days <number>', 'how many days from there on, 1 to 7')
    .option(
      '--service <service>',
      'free for this service, by its code or in your own words; may be given more than once: for all of them together',
      collect,
    )
    .option('--service-category <category>', 'free for this: service, tyres, repair or others');
}

/** The day with its hours, then its free times; a time with room for several bookings has their number. */
function dayText({ date, open, openingTime, closingTime, note, slots }: AvailabilityDay): string {
  const weekday = Temporal.PlainDate.from(date).toLocaleString('en-AU', { weekday: 'short' });
  const hours = open ? `${openingTime} to ${closingTime}` : 'closed';
  const heading = [`${weekday} ${date}`, hours, note].filter(Boolean).join('  ');
  if (!open) return heading;
  const times = slots.map(({ localTime, remaining }) =>
    remaining > 1 ? `${localTime}\u00a0(${remaining})` : localTime,
  );
  const text = times.length > 0 ? times.join(' ') : 'nothing is free';
  return `${styled('bold', heading)}\n${indented(text, '  ').replaceAll('\u00a0', ' ')}`;
}
