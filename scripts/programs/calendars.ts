/** Trials of calendars: what they read of a workshop's feed and of a customer's invitation. */
import { renderCalendar } from '#product/calendar/render.ts';
import { wireBooking } from '../../test/fixtures/booking-events.ts';
import { noticeEmail } from '../../test/fixtures/notice-emails.ts';
import type { Left } from './room.ts';
import type { Trial } from './trial.ts';

const names = [
  'Ольга «Фары», мотор; 50 %',
  '丰田汽车公司 的 车主 有 一个 很长 的 名字 没有 空格 可以 断行 的 那种 名字',
];
const bookings = names.map((name, n) => {
  const booking = wireBooking();
  return {
    ...{ version: 1, minutes: 90 },
    booking: {
      ...booking,
      id: booking.id.replace(/.$/, String(n)),
      customer: { ...booking.customer, name, firstName: name, lastName: null },
    },
  };
});
const feed = renderCalendar('Carlton Motors', bookings);
const invitation = noticeEmail({ minutes: 135 }).calendar?.content ?? '';

const unfolded = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');
/** What each entry says, by our own lines. */
function entriesOf(text: string): string[] {
  const values = (name: string) =>
    unfolded(text)
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1));
  const starts = values('DTSTART');
  return values('SUMMARY').map((summary, n) => `${summary.replace(/\\([,;\\])/g, '$1')} | ${starts[n]}`);
}

/** `20260302T223000Z` of any form of an instant. */
const compact = (line: string) =>
  line.replace(/[-:](?=\d\d)|(?<=T\d{4,6}):?/g, '').replace(/\+0000$|\+00:00$/, 'Z');

const same = 'every entry with title and time as sent';
function compared(left: Left): Promise<string> {
  const faults = Object.entries({ feed, invitation }).flatMap(([name, text]) => {
    const read = String(left.read(name)).trim().split('\n').map(compact).sort();
    const wanted = entriesOf(text).map(compact).sort();
    return JSON.stringify(read) === JSON.stringify(wanted)
      ? []
      : [`${name}: ${read.join(', ')} for ${wanted.join(', ')}`];
  });
  return Promise.resolve(faults.length === 0 ? same : faults.join('; '));
}

const reader = (name: string, program: string, packages: readonly string[]): Trial => ({
  ...{ name, program, packages, kind: 'Calendars', command: `sh calendars/read.sh ${name}` },
  files: { 'feed.ics': feed, 'invitation.ics': invitation },
  tried: 'a workshop’s calendar and a customer’s invitation',
  ...{ result: compared, expected: same },
});

export const calendarTrials: readonly Trial[] = [
  reader('vobject', 'vobject', ['python3-vobject']),
  reader('icalendar', 'python-icalendar', ['python3-icalendar']),
  reader('evolution', 'Evolution’s data server (libical)', ['gir1.2-ecal-2.0', 'python3-gi', 'libical3']),
  {
    ...{
      name: 'vdirsyncer',
      program: 'vdirsyncer',
      kind: 'Calendars',
      command: 'sh calendars/vdirsyncer.sh',
    },
    packages: ['vdirsyncer'],
    files: { 'feed.ics': feed },
    tried: 'a workshop’s calendar, fetched from its address twice',
    async result(left) {
      const [first = '', ...titles] = String(left.read('feed')).trim().split('\n');
      return `${first}, ${titles.length} entries`;
    },
    expected: 'unchanged, 2 entries',
  },
];
