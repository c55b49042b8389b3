import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureSms } from '#base/values/sms-text.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { eventKinds } from '#platform/events/record.ts';
import type { Booking } from '#product/bookings/schema.ts';
import { customItem } from '#product/catalogue/item.ts';
import type { Audience, Channel } from '#product/sending/kinds.ts';
import { inspectTemplate } from '#product/templates/render.ts';
import { reactions } from '#reactions.ts';
import { wireBooking } from '../../../test/fixtures/booking-events.ts';
import { type NoticeChanges, noticeText } from '../../../test/fixtures/notices.ts';
import { notify } from './plan.ts';
import { subjectOf, subjects } from './subjects.ts';
import { eventWord, noticeName, waysOf } from './text.ts';

const warnings: string[] = [];
const log = { warn: (_: object, message: string) => void warnings.push(message) };

/** As long as names are in practice. */
const long: Booking = wireBooking({
  date: '2026-12-30T23:30:00.000Z',
  services: ['pads', 'discs', 'calipers', 'hoses'].map((part) =>
    customItem({
      title: `Front and rear brake ${part}, taken out, cleaned, measured and fitted again with new springs`,
    }),
  ),
  cancelReason: 'The part that we need for your car has not arrived from the supplier in time for the day',
  customer: { ...wireBooking().customer, name: 'Maximiliane Konstantinopoulos-Featherstonehaugh' },
});

const kindOf = (name: string) => eventKinds.find((kind) => name.startsWith(`${eventWord(kind)}.`)) ?? 'none';

for (const { name: about, texts } of subjects) {
  describe(`default texts of a ${about}`, () => {
    for (const [name, text] of Object.entries(texts)) {
      const [, audience, channel] = name.split('.') as [string, Audience, Channel];
      const eventKind = kindOf(name);
      const of = (booking: Booking) =>
        noticeText(
          {
            ...{ eventKind, audience, channel, booking },
            name: 'Featherstonehaugh and Sons Motor Repairs, Parramatta',
          },
          log,
        );

      it(`${name} is found by its name and has no unfilled placeholder`, () => {
        assert.equal(noticeName(eventKind, { audience, channel }), name);
        const { subject, body } = of(long);
        assert.doesNotMatch(`${subject}${body}`, /\{|\}|undefined|null/);
        assert.equal(subject !== '', channel === 'email');
        assert.ok(body.length > 20);
      });

      it(`${name} belongs to its event`, () => {
        assert.ok(
          new Map<string, readonly Planner[]>(Object.entries(reactions)).get(eventKind)?.includes(notify),
        );
      });

      if (channel === 'sms') {
        it(`${name} fits two segments of the GSM alphabet, and names the car`, () => {
          const { body } = of(long);
          const measure = measureSms(body);
          assert.deepEqual(
            [measure.encoding, measure.segments <= 2],
            ['gsm7', true],
            `${measure.units}: ${body}`,
          );
          assert.match(body, /ABC123/);
        });
      }
      // The notice that the car is ready needs no time.
      if (channel === 'sms' && about === 'booking' && name !== 'bookingCarReady.customer.sms') {
        it(`${name} contains the time`, () => {
          const { body } = of(long);
          assert.match(body, /Thu 31 Dec 2026, 10:30 am/);
          assert.match(body, /7K3M9QXW for ABC123/);
        });
      }

      it(`${name} uses only placeholders that workshops may use too`, () => {
        for (const each of [text.subject, text.body, text.closing])
          assert.deepEqual(inspectTemplate(each ?? '').unknown, []);
      });

      if (audience === 'workshop' || channel === 'email') continue;
      it(`${name} contains the workshop's name`, () => {
        assert.match(of(long).body, /^Featherstonehaugh /);
      });
      if (about === 'booking')
        it(`${name} contains the workshop's phone`, () => {
          assert.match(of(long).body, /^Featherstonehaugh .*\(02\) 5550 1234/);
        });
    }
  });
}

it('each event that notifies has texts', () => {
  for (const [kind, planners] of Object.entries(reactions)) {
    if (planners.includes(notify)) assert.notDeepEqual(waysOf(subjectOf(kind), kind), [], kind);
  }
});

describe("a workshop's own text", () => {
  it('replaces the default text, subject and body independently', () => {
    const own = noticeText(
      {
        channel: 'email',
        templateSubject: 'Hello\n {{ customer.firstName }}',
        templateBody: 'See you {{ booking.date }}!',
      },
      log,
    );
    assert.equal(own.subject, 'Hello Sam');
    assert.equal(own.body, 'See you Tue 3 Mar 2026!');
    const bodyOnly = noticeText({ channel: 'email', templateBody: 'Only this.' }, log);
    assert.equal(bodyOnly.subject, 'Your booking at Harbour Motors: Tue 3 Mar 2026, 9:30 am');
  });

  for (const broken of ['{{ booking.code | nothing }}', '{% if %}', '   ', '{{ booking.nothing }}']) {
    it(`is replaced by the default when it is ${JSON.stringify(broken)} (specification: Notices 19)`, () => {
      const { body } = noticeText({ templateBody: broken }, log);
      assert.match(body, /^Harbour Motors: we have received your booking/);
    });
  }

  it('is shortened when it has too many segments, without cutting a word or a link', () => {
    warnings.length = 0;
    const link = 'https://pitlane.example/b/7K3M9QXW';
    const { body } = noticeText({ templateBody: `{% for i in (1..90) %}See ${link} {% endfor %}` }, log);
    assert.equal(measureSms(body).segments, 10);
    assert.match(body, /^(?:See https:\/\/pitlane\.example\/b\/7K3M9QXW )+(?:See)?\.\.\.$/);
    assert.deepEqual(warnings, ["the workshop's text is too long, and was shortened"]);
    const email = noticeText({ channel: 'email', templateBody: 'word '.repeat(1_000) }, log);
    assert.equal(email.body.length, 4_999);
  });

  it('is logged when it does not render', () => {
    warnings.length = 0;
    noticeText({ templateBody: '{% if %}' }, log);
    assert.equal(warnings.length, 1);
  });
});

it('a link in a reason that is too long is kept whole or left out', () => {
  const link = 'https://harbour.example/why/the-part-is-late';
  for (const cancelReason of [
    `Late, see ${link} for details`,
    `A very long reason that comes before ${link}`,
  ]) {
    for (const audience of ['customer', 'workshop'] as const) {
      const { body } = noticeText(
        { eventKind: 'booking.cancelled', audience, booking: wireBooking({ cancelReason }) },
        log,
      );
      for (const [found] of body.matchAll(/http\S*/g)) assert.equal(found, link);
    }
  }
});

describe('a moved booking', () => {
  const moved = (changes: NoticeChanges = {}) =>
    noticeText({ eventKind: 'booking.updated', ...changes }, log).body;
  const previousDate = '2026-12-29T22:00:00.000Z';

  it('contains the previous time, in each text (specification: Notices 20)', () => {
    for (const audience of ['customer', 'workshop'] as const) {
      for (const channel of ['sms', 'email'] as const) {
        assert.match(
          moved({ audience, channel, previousDate }),
          /Tue 3 Mar 2026, 9:30 am \(was Wed 30 Dec 2026, 9:00 am\)/,
        );
      }
    }
  });

  it('has no previous time when the event does not contain it', () => {
    assert.match(moved(), /has moved to Tue 3 Mar 2026, 9:30 am\. Questions/);
  });

  it('fits two segments even with long names', () => {
    for (const audience of ['customer', 'workshop'] as const) {
      const { segments, encoding } = measureSms(
        moved({ audience, booking: long, previousDate, name: long.id }),
      );
      assert.deepEqual([segments <= 2, encoding], [true, 'gsm7']);
    }
  });
});

it('a right-to-left name is isolated, and invisible characters are removed (specification: Notices 22)', () => {
  const booking = wireBooking({ customer: { ...wireBooking().customer, name: 'שרה \u202Eכהן\u200B' } });
  const { body } = noticeText({ audience: 'workshop', booking }, log);
  assert.match(body, /, \u2068שרה כהן\u2069 0491 570 006$/);
});

it('phones are shown in the reader’s notation (specification: Notices 21)', () => {
  const customer = { ...wireBooking().customer, phone: '+64211234567' };
  const of = (changes: NoticeChanges) =>
    noticeText({ booking: wireBooking({ customer }), ...changes }, log).body;
  assert.match(of({}), /Call \+61 2 5550 1234$/);
  assert.match(of({ audience: 'workshop' }), /\+64 21 123 4567$/);
});
