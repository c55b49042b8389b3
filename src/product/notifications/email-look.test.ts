/** E-mails in the workshop's colour, with buttons; invitations that name the services. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emails, fullBooking, manageUrl, noticeEmail } from '../../../test/fixtures/notice-emails.ts';

describe('the look of an e-mail', () => {
  const brandOf = (html: string) =>
    /class="brand"[^>]* style="[^"]*background:(#\w{6});color:(#\w{6})/.exec(html)?.slice(1);

  it('has the workshop’s colour, with readable text on it (specification: Notices 27)', () => {
    assert.deepEqual(brandOf(noticeEmail().html), ['#0a7d5a', '#ffffff']);
    assert.deepEqual(brandOf(emails['created, without a colour']?.html ?? ''), ['#16324f', '#ffffff']);
    const [fill, onFill] = brandOf(emails['created, in yellow']?.html ?? '') ?? [];
    assert.notEqual(fill, '#0a7d5a');
    assert.equal(onFill, '#000000');
  });

  it('links to the booking by a button; in plain text by the address on its own line (specification: Notices 27)', () => {
    const { html, text } = noticeEmail();
    assert.match(html, new RegExp(`bgcolor="#0a7d5a"[^>]*><a href="${manageUrl}"[^>]*>See your booking</a>`));
    assert.match(text, new RegExp(`^See your booking:\n${manageUrl}$`, 'm'));
    const { html: toDesk } = noticeEmail({ audience: 'workshop' });
    assert.ok(!toDesk.includes('class="button"') && !toDesk.includes(manageUrl));
  });
});

describe('the invitation of a booking with known services', () => {
  it('lasts as long as the services together, and names them (specification: Notices 18)', () => {
    const { calendar } = noticeEmail({ minutes: 135, booking: fullBooking });
    const lines = (calendar?.content ?? '').replaceAll('\r\n ', '').split('\r\n');
    assert.ok(lines.includes('DTEND:20260303T004500Z'), lines.join('\n'));
    const services = 'Logbook service\\, 60\\,000 km\\, Brake pads\\, front';
    assert.ok(lines.includes(`SUMMARY:ABC123 at Harbour Motors: ${services}`), lines.join('\n'));
    assert.ok(lines.some((line) => line.startsWith('DESCRIPTION:') && line.includes(services)));
  });
});
