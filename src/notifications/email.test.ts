import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wireBooking, workshop } from '../../test/fixtures/booking-events.ts';
import { emailOf } from './email.ts';
import { composeNotice, type NoticeFacts } from './notices.ts';

const sentAt = new Date('2026-02-20T10:00:00.000Z');
const plain = wireBooking();

function send(changes: Partial<NoticeFacts> = {}) {
  const facts: NoticeFacts = {
    id: '0195a000-0000-7000-8000-000000000001',
    audience: 'customer',
    channel: 'email',
    recipient: 'sam@customer.example',
    doubtfulAttemptId: null,
    doubtfulGateway: null,
    eventKind: 'booking.created',
    version: 3,
    payload: null,
    optedOut: false,
    erased: false,
    ...workshop,
    smsSender: null,
    smsGateways: null,
    templateSubject: null,
    templateBody: null,
    booking: plain,
    ...changes,
  };
  return emailOf(facts, composeNotice(facts, { warn: () => undefined } as never), sentAt);
}

/** Lines as they were before folding. */
function unfolded(calendar: string): string[] {
  return calendar.replaceAll('\r\n ', '').split('\r\n');
}

describe('the e-mail of a notice', () => {
  it('says the same in text and HTML', () => {
    const email = send({
      booking: { ...plain, notes: 'Squeaks\nwhen braking', pickupTime: '2026-03-03T06:00:00.000Z' },
    });
    for (const part of [email.text, email.html]) {
      for (const value of [
        'Tue 3 Mar 2026, 9:30 am',
        'Tue 3 Mar 2026, 5:00 pm',
        '7K3M9QXW',
        'ABC123',
        '2019 Toyota Corolla',
        'Hi Sam',
        'Squeaks',
      ]) {
        assert.ok(part.includes(value), `${value} in ${part}`);
      }
    }
    assert.ok(email.text.includes('When: Tue 3 Mar 2026, 9:30 am'));
    assert.ok(email.html.includes('Squeaks<br>when braking'));
    assert.doesNotMatch(email.text, /Package:|Services:|undefined|null/);
  });

  it('lets no value become markup, a header or a calendar line', () => {
    const nasty = `<img src=x onerror=alert(1)>"'&\r\nBcc: all@example.com`;
    const email = send({
      name: nasty,
      booking: { ...plain, notes: nasty, customer: { ...plain.customer, name: nasty, firstName: nasty } },
    });
    assert.doesNotMatch(email.html, /<img|"'&/);
    assert.doesNotMatch(email.subject, /[\r\n]/);
    for (const line of unfolded(email.calendar?.content ?? '')) assert.doesNotMatch(line, /^\s*Bcc/);
  });

  it('shows a text of the workshop as text', () => {
    const email = send({ templateBody: 'Dear <b>{{ customer.name }}</b>\n\nSecond' });
    assert.ok(email.html.includes('Dear &lt;b&gt;Sam Taylor&lt;/b&gt;</p>'));
    assert.ok(email.text.startsWith('Dear <b>Sam Taylor</b>\n\nSecond'));
  });
});

describe('the invitation', () => {
  it('names the booking for good and its version, in UTC, for an hour', () => {
    const calendar = send().calendar;
    assert.equal(calendar?.method, 'REQUEST');
    const lines = unfolded(calendar?.content ?? '');
    for (const line of [
      'METHOD:REQUEST',
      `UID:booking-${plain.id}@pitlane`,
      'SEQUENCE:3',
      'DTSTAMP:20260220T100000Z',
      'DTSTART:20260302T223000Z',
      'DTEND:20260302T233000Z',
      'STATUS:CONFIRMED',
      'ORGANIZER;CN="Harbour Motors":mailto:desk@harbour.example',
    ]) {
      assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`);
    }
    assert.ok(
      lines.some((line) => line.startsWith('ATTENDEE;') && /MAILTO:sam@customer\.example$/i.test(line)),
    );
  });

  it('of a cancelled booking takes it out of the calendar', () => {
    const booking = { ...plain, status: 'cancelled' as const, cancelReason: 'Car sold' };
    const email = send({ eventKind: 'booking.cancelled', booking, version: 4 });
    assert.equal(email.calendar?.method, 'CANCEL');
    const lines = unfolded(email.calendar?.content ?? '');
    for (const line of [
      'METHOD:CANCEL',
      'STATUS:CANCELLED',
      'SEQUENCE:4',
      `UID:booking-${plain.id}@pitlane`,
    ]) {
      assert.ok(lines.includes(line), line);
    }
    assert.ok(email.text.includes('Reason: Car sold'));
  });
});
