/** Plans the notices of a batch of events of one kind, of any subject (specification: Notices). */
import { publicUrl } from '#base/config/public-url.ts';
import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { enqueue, type NewMessage, pageCeiling } from '#product/sending/enqueue.ts';
import { deskUrl } from './desk-link.ts';
import { withLink } from './sms-link.ts';
import type { ToldEvent } from './store.ts';
import type { Subject } from './subject.ts';
import { subjectOf } from './subjects.ts';
import { type NoticeLog, textOfNotice, waysOf } from './text.ts';

/** SMS and e-mail to the recipients of the event, if the subject has texts for them. */
export const notify: Planner = async (tx, events, { clock, config, log }) => {
  const [first] = events;
  if (first === undefined) return;
  const subject = subjectOf(first.kind);
  const told = await subject.reads.told(
    tx,
    events.map(({ id }) => id),
    waysOf(subject, first.kind),
  );
  const base = publicUrl(config);
  const urlOf = await smsLinks(tx, subject, told, base);
  const messages = told.flatMap((event) =>
    messagesOf(subject, event, { customer: urlOf, workshop: deskUrl(subject, event, base) }, log),
  );
  await enqueue(tx, messages, {
    now: clock.now(),
    actor: actors.schedule,
    exemptCountries: config.optOutExemptCountries,
  });
};

type UrlOf = (recordId: string) => string | null;

/** The links at the end of SMS to customers; null when the public address is unknown. */
async function smsLinks(
  tx: Queryable,
  subject: Subject,
  told: readonly ToldEvent[],
  base: string | null,
): Promise<UrlOf> {
  const { smsLink } = subject;
  if (smsLink === undefined || base === null) return () => null;
  const toCustomers = told.filter(({ recipients }) =>
    recipients.some(({ audience }) => audience === 'customer'),
  );
  const paths = await smsLink.paths(
    tx,
    toCustomers.map(({ payload }) => subject.recordOf(payload).id),
  );
  return (id) => {
    const path = paths.get(id);
    return path === undefined ? null : base + path;
  };
}

/** The link at the end of SMS to each audience; null: none. */
interface Links {
  readonly customer: UrlOf;
  readonly workshop: string | null;
}

/** One for each recipient and channel. */
function messagesOf(subject: Subject, event: ToldEvent, links: Links, log: NoticeLog): NewMessage[] {
  const { id, customerId, bookingId } = subject.recordOf(event.payload);
  const customers = links.customer(id);
  const linkOf = {
    customer: customers && subject.smsLink && { ...subject.smsLink, url: customers },
    workshop: links.workshop && { label: 'Console', url: links.workshop },
  };
  const variables = { sms: subject.variables(event, 'sms'), email: subject.variables(event, 'email') };
  return event.recipients.map(({ audience, channel, recipient, withheld }) => {
    const text = textOfNotice(subject, event, { audience, channel }, log, variables[channel]);
    const link = channel === 'sms' ? linkOf[audience] : null;
    return {
      ...{ kind: subject.kind, workshopId: event.workshopId, channel, audience, recipient, bookingId },
      template: text.template,
      body: link ? withLink(text.body, link.label, link.url) : text.body,
      customerId: audience === 'customer' ? customerId : null,
      causeId: event.eventId,
      subject: channel === 'email' ? text.subject : null,
      seriesId: id,
      seriesNumber: event.version,
      refusal: withheld ? pageCeiling : null,
    };
  });
}
