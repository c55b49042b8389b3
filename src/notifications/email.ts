/** The e-mail of a notice: text, HTML and invitation from the same values. */
import type { BookingScope } from '#bookings/scope.ts';
import type { OutboundEmail } from '#gateways/email/gateway.ts';
import { invitation } from './calendar.ts';
import type { ComposedNotice, NoticeFacts } from './notices.ts';

/** `sentAt` is the machine clock's, as mail dates are. */
export function emailOf(facts: NoticeFacts, notice: ComposedNotice, sentAt: Date): OutboundEmail {
  const details = detailsOf(notice.scope);
  return {
    // The same at each attempt, so that a mailbox can tell a repeat.
    reference: facts.id,
    to: facts.recipient,
    subject: notice.subject,
    text: `${notice.body}\n\n${details.map(([label, value]) => `${label}: ${value}`).join('\n')}\n`,
    html: htmlOf({ ...notice, workshopName: notice.scope.workshop.name }, details),
    calendar: invitation(facts, notice.scope, sentAt),
  };
}

function detailsOf({ booking, car, workshop, customer }: BookingScope): [string, string][] {
  const all: [string, string][] = [
    ['When', booking.dateTime],
    ['Pick-up', booking.pickupTime],
    ['Car', [car.rego, car.description].filter(Boolean).join(', ')],
    ['Services', booking.services],
    ['Package', booking.servicePackageType],
    ['Name', customer.name],
    ['Phone', customer.phone],
    ['Notes', booking.notes],
    ['Reason', booking.cancelReason],
    ['Workshop', workshop.name],
    ['Booking code', booking.code],
  ];
  return all.filter(([, value]) => value !== '');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function withBreaks(text: string): string {
  return escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>');
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export interface HtmlNotice {
  readonly subject: string;
  /** Plain text, its paragraphs apart by an empty line. */
  readonly body: string;
  readonly workshopName: string;
}

/** The HTML of a notice: paragraphs, and a table of labels and values. Nothing in them is read as HTML. */
export function htmlOf(
  { subject, body, workshopName }: HtmlNotice,
  details: readonly [string, string][],
): string {
  const paragraphs = body
    .split(/(?:\r\n|\r|\n){2,}/)
    .map((paragraph) => `<p style="margin:0 0 16px">${withBreaks(paragraph)}</p>`);
  const rows = details.map(
    ([label, value]) =>
      `<tr><td style="padding:8px 16px 8px 0;color:#5b6472;vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td>` +
      `<td style="padding:8px 0;color:#16202e;word-break:break-word">${withBreaks(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f2f4f7;${font};font-size:16px;line-height:1.5;color:#16202e">
<div style="max-width:560px;margin:0 auto;background:#ffffff;border-radius:8px;overflow:hidden">
<div style="padding:16px 24px;background:#16324f;color:#ffffff;font-weight:600">${escapeHtml(workshopName)}</div>
<div style="padding:24px">
${paragraphs.join('\n')}
<table role="presentation" style="width:100%;border-collapse:collapse;border-top:1px solid #dfe3e8;${font};font-size:15px">
${rows.join('\n')}
</table>
</div>
</div>
</body>
</html>
`;
}
