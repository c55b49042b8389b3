/** The text of a booking's notice, made when it is enqueued, and its e-mail, made at its hand-over. */
import { type BookingVariables, bookingVariables } from '#bookings/template-variables.ts';
import { publicUrl } from '#config/public-url.ts';
import type { EmailComposer } from '#sending/compose.ts';
import type { TemplateRef } from '#sending/enqueue.ts';
import type { Audience, Channel } from '#sending/kinds.ts';
import { emailOf } from './email.ts';
import { manageUrl } from './manage-link.ts';
import { composeNotice, type NoticeContent, noticeName, notices } from './notices.ts';
import { closingOf, type NoticeLog, type RenderedNotice } from './render.ts';
import { findNoticeFacts, type NoticeEvent, type NoticeTemplate } from './store.ts';

/** Whom a notice is for, and how it goes there. */
export interface Way {
  readonly audience: Audience;
  readonly channel: Channel;
}

export interface NoticeText<Variables = BookingVariables> extends RenderedNotice<Variables> {
  /** The workshop's template, where the body is its own. */
  readonly template: TemplateRef | null;
}

/** Filled with the values of the event, also when the booking has changed since. `variables` may be shared by the event's notices of one channel. */
export function textOfNotice(
  event: NoticeEvent,
  to: Way,
  log: NoticeLog,
  variables = variablesOf(event, to.channel),
): NoticeText {
  return withTemplate(composeNotice(contentOf(event, to), log, variables), templateOf(event, to));
}

/** The rendered notice with the template that it is from. */
export function withTemplate<Variables>(
  rendered: RenderedNotice<Variables>,
  own: NoticeTemplate | undefined,
): NoticeText<Variables> {
  const template = rendered.isOwnText && own !== undefined ? { id: own.id, version: own.version } : null;
  return { ...rendered, template };
}

/** The workshop's own texts of a notice. */
export function templateOf(
  { kind: eventKind, templates }: Pick<NoticeEvent, 'kind' | 'templates'>,
  to: Way,
): NoticeTemplate | undefined {
  const name = noticeName({ eventKind, ...to });
  return templates.find(({ purpose }) => purpose === name);
}

/** The template variables of an event's notices by one channel. */
export const variablesOf = (
  { booking, workshop, previousDate }: NoticeEvent,
  channel: Channel,
): BookingVariables => bookingVariables(booking, workshop, channel, previousDate);

function contentOf(event: NoticeEvent, to: Way): NoticeContent {
  const { eventId, kind: eventKind, booking, previousDate, workshop } = event;
  const template = templateOf(event, to);
  return {
    ...workshop,
    id: eventId,
    eventKind,
    ...to,
    booking,
    previousDate,
    templateSubject: template?.subject ?? null,
    templateBody: template?.body ?? null,
  };
}

/** The e-mail of a queued notice: its text, the facts of its event, and the invitation. Null when the event was purged. */
export const noticeEmail: EmailComposer = async ({ db, clock, config }, message) => {
  const { id, audience, recipient, subject, body, causeId, templateId } = message;
  const facts = causeId === null ? null : await findNoticeFacts(db, causeId);
  if (facts === null) return null;
  const { manageCode, minutes, ...rest } = facts;
  const base = publicUrl(config);
  const url = manageCode === null || base === null ? null : manageUrl(base, manageCode);
  const event = { ...rest, templates: [] };
  const content = contentOf(event, { audience, channel: 'email' });
  const variables = variablesOf(event, 'email');
  return emailOf(
    { ...content, id, recipient, minutes, version: event.version },
    {
      ...{ variables, subject: subject ?? '', body },
      closing: templateId === null ? closingOf(notices, noticeName(content), variables) : '',
    },
    { sentAt: clock.machineNow(), unsubscribe: config.mailUnsubscribe, manageUrl: url },
  );
};
