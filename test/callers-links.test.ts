/** No text that a caller wrote becomes a link in what is sent: SMS, e-mails as text and as HTML, invitations, of every kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitName } from '#base/values/person-name.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { eventKinds } from '#platform/events/record.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { personVariables } from '#product/bookings/template-variables.ts';
import { renderCampaign } from '#product/campaigns/text.ts';
import { customItem } from '#product/catalogue/item.ts';
import { renderMessage } from '#product/messaging/from-template/render.ts';
import { digestEmail } from '#product/notifications/inbox-digests/email.ts';
import { smsOf } from '#product/notifications/inbox-digests/text.ts';
import { withLink } from '#product/notifications/sms-link.ts';
import { subjects } from '#product/notifications/subjects.ts';
import { eventWord } from '#product/notifications/text.ts';
import { reminderText } from '#product/reminders/text.ts';
import type { Audience, Channel } from '#product/sending/kinds.ts';
import { type TemplateRoot, templateFields } from '#product/templates/fields.ts';
import { wireBooking, workshop } from './fixtures/booking-events.ts';
import { hostileText, plainLinks, strangeLink } from './fixtures/hostile-texts.ts';
import {
  manageCode,
  type NoticeChanges,
  noticeEvent,
  noticeMail,
  noticeText,
  wireQuote,
} from './fixtures/notices.ts';

const id = '0195a000-0000-7000-8000-000000000001';
const publicUrl = 'https://pitlane.example';
const manageUrl = `${publicUrl}/b/${manageCode}`;
const quoteUrl = `${publicUrl}/q/7K3M9QXW2P`;
const unsubscribe = 'ops@pitlane.example';
const ofTemplate = 'https://harbour.example/tyres';
const customerEmail = 'sam@customer.example';
/** What may be a link: ours, the workshop's, and the checked address of the customer. */
const ours = [
  manageUrl,
  quoteUrl,
  `${publicUrl}/r/7K3M9QXW`,
  ofTemplate,
  unsubscribe,
  workshop.email,
  customerEmail,
];
const hrefs = new Set([
  ...[manageUrl, quoteUrl, ofTemplate, 'tel:+61255501234', 'tel:+61491570006'],
  ...[unsubscribe, workshop.email, customerEmail].map((address) => `mailto:${address}`),
]);
const sentAt = new Date('2026-02-20T10:00:00.000Z');

/** What a caller can write. */
interface Written {
  readonly name: string;
  readonly rego: string;
  readonly car: string;
  readonly service: string;
  readonly words: string;
  readonly reference: string;
}

/** The workshop's own text, with each placeholder and a link. */
const everything = (roots: readonly TemplateRoot[]) =>
  `See ${ofTemplate} \n${roots.flatMap((root) => templateFields[root].map((field) => `${field}: {{ ${root}.${field} }}`)).join('\n')}`;
const ofBooking = everything(['customer', 'workshop', 'booking', 'car']);
const ofPerson = everything(['customer', 'workshop']);

function factsOf(written: Written) {
  const { name, words, service, reference } = written;
  const plain = wireBooking();
  const customer = { ...plain.customer, name, ...splitName(name), company: name };
  const car = {
    ...plain.car,
    rego: normaliseRego(written.rego),
    make: written.car,
    model: written.car,
    badge: written.car,
    vin: written.car,
  };
  const services = [customItem({ title: service }), { ...customItem({ catalogCode: service }), title: null }];
  const booking = {
    ...plain,
    customer,
    car,
    services,
    notes: words,
    cancelReason: words,
    servicePackageType: service,
    externalId: reference,
  };
  const quote = wireQuote(booking, { url: quoteUrl, total: 10, lines: [] });
  return { booking, quote, customer, car };
}

const decoded = (html: string) =>
  html
    .replace(/<head>[\s\S]*<\/head>|<!--[\s\S]*?-->/g, '')
    .replace(/<br>|<\/?(?:p|div|h1|tr|th|td|table)\b[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(amp|lt|gt|quot|#39|#847|zwnj|nbsp);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? ' ',
    );

function assertOurs(text: string, what: string): void {
  assert.equal(strangeLink(text, ours), null, `${what}: ${JSON.stringify(text)}`);
}

function assertEmail({ subject, text, html, calendar, replyTo }: OutboundEmail, what: string): void {
  for (const part of [subject, text, decoded(html), replyTo?.name ?? '']) assertOurs(part, what);
  for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g))
    assert.ok(hrefs.has(href), `${what}: ${href}`);
  const lines = (calendar?.content ?? '').replaceAll('\r\n ', '').split('\r\n');
  for (const line of lines) {
    const [, value] = /^(?:SUMMARY|DESCRIPTION|LOCATION):(.*)/s.exec(line) ?? [];
    if (value !== undefined) assertOurs(value.replaceAll('\\n', '\n'), what);
  }
}

/** Makes everything that is sent of what a caller wrote, and looks for links in it. */
function assertNoLinks(written: Written): void {
  const { booking, quote, customer, car } = factsOf(written);
  for (const subject of subjects) {
    for (const name of Object.keys(subject.texts)) {
      const [, audience, channel] = name.split('.') as [string, Audience, Channel];
      const eventKind = eventKinds.find((kind) => name.startsWith(`${eventWord(kind)}.`)) ?? 'none';
      const told = { eventKind, audience, booking, quote, previousDate: booking.date };
      const roots = Object.keys(subject.variables(noticeEvent(told), channel)) as TemplateRoot[];
      for (const templateBody of [undefined, everything(roots)]) {
        const changes: NoticeChanges = {
          ...{ ...told, recipient: customerEmail },
          ...(templateBody !== undefined && {
            templateBody,
            templateSubject: '{{ customer.name }} {{ car.rego }} {{ booking.notes }}',
          }),
        };
        if (channel === 'email')
          assertEmail(noticeMail(id, changes, { sentAt, unsubscribe, publicUrl }), name);
        else assertOurs(withLink(noticeText({ ...changes, channel }).body, 'Your booking', manageUrl), name);
      }
    }
  }
  const wayOut = { way: 'reply', code: null, text: 'Reply STOP to end' } as const;
  const remindedOf = { code: '7K3M9QXW', workshop, customer, phone: '+61491570006', car, publicUrl, wayOut };
  assertOurs(reminderText(remindedOf).body, 'reminder');
  const digest = {
    count: 2,
    people: 2,
    answers: [
      { name: written.name, phone: '+61491570006', conversationId: 'c1', body: written.words },
      { name: written.name, phone: null, conversationId: 'c2', body: written.words },
    ],
  };
  assertOurs(smsOf(digest, workshop), 'digest');
  assertEmail(
    digestEmail({ id, recipient: workshop.email, workshop }, digest, {
      unsubscribe,
      replyTo: () => unsubscribe,
    }),
    'digest',
  );
  const ofMessage = { workshop, customer, booking, requiresBooking: true, templateBody: ofBooking };
  assertOurs(renderMessage(ofMessage, null), 'template');
  const ofNone = { ...ofMessage, booking: null, requiresBooking: false, templateBody: ofPerson };
  assertOurs(renderMessage(ofNone, null), 'template without booking');
  const blast = renderCampaign(
    `Hi {{ customer.firstName }} of {{ customer.company }}`,
    personVariables(customer, workshop, 'sms'),
    workshop,
    wayOut,
  );
  assertOurs('text' in blast ? blast.text : '', 'blast');
}

test('a link in any field that a caller writes is no link in any notice, reminder, digest or template (specification: Notices 23)', () => {
  for (const link of plainLinks) {
    const text = `Pay at ${link}`;
    assertNoLinks({
      name: text,
      rego: link,
      car: text,
      service: text,
      words: `Hello.\n${link}`,
      reference: link,
    });
  }
});

test('nor is any hostile text', () => {
  const written = fc.record({
    ...{ name: hostileText, rego: hostileText, car: hostileText, service: hostileText },
    ...{ words: hostileText, reference: hostileText },
  });
  fc.assert(fc.property(written, assertNoLinks), { numRuns: 40 });
});

test("the workshop's own links stay links (specification: Notices 24)", () => {
  const templateBody = `See ${ofTemplate} or ${workshop.email}`;
  const { html, text } = noticeMail(id, { templateBody }, { sentAt, unsubscribe, publicUrl });
  for (const href of [ofTemplate, `mailto:${workshop.email}`, manageUrl])
    assert.ok(html.includes(`href="${href}"`), href);
  assert.ok(text.includes(ofTemplate));
});
