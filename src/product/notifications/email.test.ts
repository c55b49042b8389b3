import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import {
  emails,
  fullBooking,
  manageUrl,
  noticeEmail,
  plainBooking as plain,
} from '../../../test/fixtures/notice-emails.ts';

/** The lines before they were folded. */
function unfolded(calendar: string): string[] {
  return calendar.replaceAll('\r\n ', '').split('\r\n');
}

/** The visible text of the HTML, without tags and hidden elements. */
function visible(html: string): string {
  return html
    .replace(/[\s\S]*<body[^>]*>\s*(<p[\s\S]*?<\/p>)?[\s\S]*<h1/, '$1<h1')
    .replace(/<br>|<[^>]+>/g, ' ')
    .replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    );
}

const words = (text: string) => text.match(/[\p{L}\p{N}+]+/gu) ?? [];

const active = /<(?:img|script|link|iframe|object|form)|\son\w+=|url\(|@import|javascript:/i;

describe('the e-mail of a notice', () => {
  it('has the same content in text and HTML (specification: Notices 27)', () => {
    const email = noticeEmail({ booking: fullBooking });
    for (const part of [email.text, visible(email.html)]) {
      for (const value of [
        ...[
          'Tue 3 Mar 2026, 9:30 am',
          'Tue 3 Mar 2026, 5:00 pm',
          '7K3M9QXW',
          'ABC123',
          '2019 Toyota Corolla',
        ],
        ...['Hi Sam', 'Squeaks', 'Gold', 'Brake pads, front', '0491 570 006', 'because of your booking'],
      ]) {
        assert.ok(part.includes(value), `${value} in ${part}`);
      }
    }
    assert.ok(email.text.includes('When: Tue 3 Mar 2026, 9:30 am'));
    assert.ok(email.html.includes('Squeaks when braking.<br>Call before'));
    assert.doesNotMatch(noticeEmail().text, /Package|Services|Notes|undefined|null/);
  });

  for (const [name, email] of Object.entries(emails)) {
    it(`has the same words in both parts: ${name}`, () => {
      const inHtml = words(visible(email.html)).join(' ');
      const text = email.text.replace(manageUrl, ''); // In HTML it is behind its button.
      for (const block of text.split(/\n+/)) {
        assert.ok(inHtml.includes(words(block).join(' ')), `${block} in ${inHtml}`);
      }
      const inText = words(`${email.subject} ${text}`);
      assert.deepEqual([...new Set(words(visible(email.html)))].sort(), [...new Set(inText)].sort());
    });

    it(`has a plain part of short lines, with no space at an end and each link on its own: ${name}`, () => {
      for (const line of email.text.split('\n')) {
        assert.ok([...line].length <= 80 || !/\s\S/.test(line.trim()), line);
        assert.doesNotMatch(line, /\s$/);
        if (line.includes('://')) assert.match(line, /^\s*https?:\/\/\S+$/);
      }
      assert.match(email.text, /[^\n]\n$/);
      assert.doesNotMatch(email.text, /\n{3}/);
    });

    it(`loads nothing and runs nothing: ${name} (specification: Notices 27)`, () => {
      // The logo goes along.
      assert.doesNotMatch(email.html.replace(`<img src="cid:${email.logo?.cid}"`, ''), active);
    });
  }

  it('lets no value become markup, a header or a calendar line', () => {
    const nasty = `<img src=x onerror=alert(1)>"'&\r\nBcc: all@example.com`;
    const email = noticeEmail({
      name: nasty,
      booking: { ...plain, notes: nasty, customer: { ...plain.customer, name: nasty, firstName: nasty } },
    });
    assert.doesNotMatch(email.html, /<img|"'&/);
    assert.doesNotMatch(email.subject, /[\r\n]/);
    for (const line of unfolded(email.calendar?.content ?? '')) assert.doesNotMatch(line, /^\s*Bcc/);
  });

  it('links URLs, addresses and numbers, and nothing else (specification: Notices 27)', () => {
    const { html } = noticeEmail({
      templateBody:
        'See https://a.example/?x=1&y="2". Or (http://b.example/c), javascript:alert(1), a@b.example.',
    });
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(links, [
      'https://a.example/?x=1&amp;y=',
      'http://b.example/c',
      'mailto:a@b.example',
      manageUrl,
      'tel:+61491570006',
    ]);
  });

  it('links an address to that address only: text that looks like headers of an e-mail is encoded', () => {
    const { html } = noticeEmail({
      templateBody:
        "sam?bcc=x@y.co or sam&cc=x@y.co, o'neil+car@b.example, 100%41@b.example or \ud800@b.example",
    });
    const links = [...html.matchAll(/href="mailto:([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(links, [
      ...['sam%3Fbcc%3Dx@y.co', 'sam%26cc%3Dx@y.co', 'neil%2Bcar@b.example'],
      ...['100%2541@b.example', '%EF%BF%BD@b.example'],
    ]);
    assert.ok(html.includes('>sam?bcc=x@y.co</a>'));
  });

  it('shows a text of the workshop as plain text', () => {
    const email = noticeEmail({ templateBody: 'Dear <b>{{ customer.name }}</b>\n\nSecond' });
    assert.ok(email.html.includes('Dear &lt;b&gt;Sam Taylor&lt;/b&gt;</p>'));
    assert.ok(email.text.startsWith('Dear <b>Sam Taylor</b>\n\nSecond'));
  });

  it("is sent to a customer in the workshop's name, with replies to the workshop, without an unsubscribe address (specification: Notices 26 and 31)", () => {
    const email = noticeEmail({}, 'ops@pitlane.example');
    assert.equal(email.onBehalfOf, 'Harbour Motors');
    assert.deepEqual(email.replyTo, { name: 'Harbour Motors', address: 'desk@harbour.example' });
    assert.equal(email.unsubscribe ?? null, null);
  });

  it('is sent to a workshop in the installation’s name, with an unsubscribe address (specification: Notices 26 and 31)', () => {
    for (const email of [emails['created, to the workshop'], emails['answers']]) {
      assert.deepEqual([email?.onBehalfOf, email?.replyTo], [undefined, undefined]);
      assert.deepEqual(email?.unsubscribe, {
        mailto: { address: 'ops@pitlane.example', subject: 'Unsubscribe from Harbour Motors' },
      });
      assert.match(
        email?.text ?? '',
        /Harbour Motors has e-mails about .* sent to this\s+address\. To\s+end\s+that, write to\s+ops@pitlane\.example\.\n$/,
      );
    }
    const without = noticeEmail({ audience: 'workshop' });
    assert.equal(without.unsubscribe, null);
    assert.match(without.text, /sent to this\s+address\.\n$/);
  });

  it('has the details before the default goodbye; a text of the workshop has its own (specification: Notices 30)', () => {
    const email = emails['created'] ?? noticeEmail();
    for (const part of [email.text, visible(email.html)]) {
      assert.ok(part.indexOf('Booking code') < part.indexOf('Questions?'), part);
    }
    assert.doesNotMatch(noticeEmail({ templateBody: 'See you!' }).text, /Questions\?/);
  });

  it("contains the workshop's postal address, for customers, if it is known (specification: Setting up a workshop 7)", () => {
    const place = '7 Quay Street, Sydney NSW 2000';
    assert.ok(noticeEmail().text.includes(`Address: ${place}`));
    const location = (email: OutboundEmail) =>
      unfolded(email.calendar?.content ?? '').find((one) => one.startsWith('LOCATION:'));
    assert.equal(location(noticeEmail()), 'LOCATION:Harbour Motors\\, 7 Quay Street\\, Sydney NSW 2000');
    assert.equal(location(noticeEmail({ address: null })), 'LOCATION:Harbour Motors');
    assert.doesNotMatch(noticeEmail({ address: null }).text, /Address/);
    assert.doesNotMatch(noticeEmail({ audience: 'workshop' }).text, /Address/);
  });

  it('links formatted phones to their numbers, and splits none over two lines', () => {
    const { html, text } = noticeEmail();
    assert.match(html, /href="tel:\+61255501234" dir="ltr" style="color:#\w{6}">\(02\) 5550 1234<\/a>/);
    for (const name of [
      'Harbour Motors',
      'Harbour Motors of Sydney',
      'Harbour Motors of the Eastern Suburbs',
    ]) {
      const templateBody = `${'x'.repeat(name.length + 20)} call us {{ workshop.phone }} or {{ customer.phone }} please`;
      const own = noticeEmail({ name, templateBody }).text;
      assert.ok(own.includes('(02) 5550 1234') && own.includes('0491 570 006'), own);
    }
    assert.ok(text.includes('(02) 5550 1234'));
  });

  it('has the previous time of a moved booking among the details', () => {
    assert.match(emails['moved']?.text ?? '', /^Before: Tue 3 Mar 2026, 9:30 am$/m);
  });

  it('runs from right to left if most of its text does', () => {
    const html = emails['answers']?.html ?? '';
    assert.match(html, /<div class="ink" dir="rtl"[^>]*>نعم/);
    assert.doesNotMatch(emails['hard, to the workshop']?.html ?? '', /<(?:p|h1)[^>]* dir="rtl"/);
  });
});

describe('the invitation', () => {
  it('has the UID of the booking, its version as SEQUENCE, times in UTC, and lasts an hour when the duration is unknown (specification: Notices 8 and 18)', () => {
    const calendar = noticeEmail().calendar;
    assert.equal(calendar?.method, 'REQUEST');
    const lines = unfolded(calendar?.content ?? '');
    for (const line of [
      'METHOD:REQUEST',
      `UID:booking-${plain.id}@pitlane`,
      'SEQUENCE:3',
      'DTSTAMP:20260220T100000Z',
      'DTSTART:20260302T223000Z',
      'DTEND:20260302T233000Z',
      'STATUS:TENTATIVE',
      'ORGANIZER;CN="Harbour Motors":mailto:desk@harbour.example',
    ]) {
      assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`);
    }
    assert.ok(
      lines.some((line) => line.startsWith('ATTENDEE;') && /MAILTO:sam@customer\.example$/i.test(line)),
    );
  });

  it('is tentative until the workshop has confirmed (specification: Notices 8)', () => {
    for (const [status, shown] of [
      ['pending', 'TENTATIVE'],
      ['confirmed', 'CONFIRMED'],
      ['completed', 'CONFIRMED'],
      ['cancelled', 'CANCELLED'],
    ] as const) {
      const { calendar } = noticeEmail({ booking: { ...plain, status } });
      assert.ok(unfolded(calendar?.content ?? '').includes(`STATUS:${shown}`), status);
    }
  });

  it("is not in the workshop's e-mail: the workshop gets no notice when the booking moves (specification: Notices 18)", () => {
    assert.ok(noticeEmail().calendar);
    for (const eventKind of ['booking.created', 'booking.cancelled']) {
      assert.equal(noticeEmail({ audience: 'workshop', eventKind }).calendar, null);
    }
  });

  it('of a cancelled booking removes the entry from the calendar, and says so in its title (specification: Notices 8)', () => {
    const booking = { ...plain, status: 'cancelled' as const, cancelReason: 'Car sold' };
    const email = noticeEmail({ eventKind: 'booking.cancelled', booking, version: 4 });
    assert.equal(email.calendar?.method, 'CANCEL');
    const lines = unfolded(email.calendar?.content ?? '');
    for (const line of [
      'METHOD:CANCEL',
      'SUMMARY:ABC123 at Harbour Motors (cancelled)',
      'SEQUENCE:4',
      `UID:booking-${plain.id}@pitlane`,
    ]) {
      assert.ok(lines.includes(line), line);
    }
    assert.ok(email.text.includes('Reason: Car sold'));
  });
});
