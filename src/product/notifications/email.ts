/** The e-mail of a notice of any subject: its text, the facts of its event, and for the customer the invitation. */
import { publicUrl } from '#base/config/public-url.ts';
import { isolated } from '#base/values/bidi.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { EmailComposer, StoredMessage } from '#product/sending/compose.ts';
import { deskLabel, deskUrl } from './desk-link.ts';
import type { HandedOver } from './event.ts';
import { outbound, workshopFooter, workshopUnsubscribe } from './outbound.ts';
import type { NoticeVariables, Subject } from './subject.ts';
import { closingOf, noticeOf } from './text.ts';

export interface EmailSettings {
  /** By the machine clock, like mail dates. */
  readonly sentAt: Date;
  /** The unsubscribe address of e-mails to workshops; null: none. */
  readonly unsubscribe: string | null;
  /** The public address of the pages; null: e-mails have no links to them. */
  readonly publicUrl: string | null;
}

/** Composes the e-mails of a subject at their hand-over. */
export function emailComposer(subject: Subject): EmailComposer {
  return async ({ db, clock, config }, message) => {
    const { causeId, audience } = message;
    const event = causeId === null ? null : await subject.reads.handedOver(db, causeId, audience);
    const settings = {
      sentAt: clock.machineNow(),
      unsubscribe: config.mailUnsubscribe,
      publicUrl: publicUrl(config),
    };
    return event && emailOf(subject, event, message, settings);
  };
}

export function emailOf<Payload extends object, Variables extends NoticeVariables, Present>(
  subject: Subject<Payload, Variables, Present>,
  event: HandedOver<Payload, Present>,
  message: Omit<StoredMessage, 'kind' | 'channel' | 'workshopId' | 'causeId'>,
  { sentAt, unsubscribe, publicUrl: base }: EmailSettings,
): OutboundEmail {
  const { id, audience, recipient, body, templateId } = message;
  const isToCustomer = audience === 'customer';
  const { texts, about } = subject;
  const variables = subject.variables(event, 'email');
  const { customer, workshop } = variables;
  const { preview, action, facts } = subject.email(event, variables, { audience, publicUrl: base });
  const desk = deskUrl(subject, event, base);
  const way = isToCustomer ? action : desk === null ? null : { label: deskLabel, url: desk };
  const name = noticeOf(subject, event, { audience, channel: 'email' });
  return outbound(
    {
      reference: id,
      to: recipient,
      ...(isToCustomer
        ? { onBehalfOf: workshop.name, replyTo: { name: workshop.name, address: workshop.email } }
        : { unsubscribe: workshopUnsubscribe(workshop.name, unsubscribe) }),
    },
    {
      subject: message.subject ?? '',
      preview,
      workshopName: workshop.name,
      colour: event.workshop.colour,
      logo: event.logo,
      // A text of the workshop may contain the address itself.
      actions: way !== null && !body.includes(way.url) ? [way] : [],
      body,
      facts: facts.filter(([, value]) => value.trim() !== ''),
      phones: new Map([
        [customer.phone, subject.recordOf(event.payload).customerPhone ?? ''],
        [workshop.phone, event.workshop.phone],
      ]),
      quotes: [],
      closing: templateId === null ? closingOf(texts, name, variables) : '',
      footer: isToCustomer
        ? `You are getting this e-mail because of ${about.customer} with ${isolated(workshop.name)}.`
        : workshopFooter(workshop.name, about.workshop, unsubscribe),
    },
    isToCustomer ? subject.invitation?.(event, variables, sentAt) : null,
  );
}
