/** The text of a notice: the workshop's own template, else the default text of the notice's name. */

import { holdsLink } from '#base/values/callers-links.ts';
import { oneLine } from '#base/values/one-line.ts';
import { shortenSms } from '#base/values/shorten.ts';
import { segmentsAtMost } from '#product/messaging/rules.ts';
import type { TemplateRef } from '#product/sending/enqueue.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import { renderTemplate } from '#product/templates/render.ts';
import type { NoticeEvent } from './event.ts';
import type { DefaultTexts, NoticeVariables, Subject, Way } from './subject.ts';

/** Gets a warning for each fault in a workshop's own text. */
export interface NoticeLog {
  warn(facts: object, message: string): void;
}

export interface NoticeText {
  /** Empty for an SMS. */
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
  /** The workshop's template; null when the body is the default text. */
  readonly template: TemplateRef | null;
}

/** `bookingCreated`, for the event `booking.created`. */
export const eventWord = (eventKind: string): string =>
  eventKind.replace(/\.(.)/g, (_, first: string) => first.toUpperCase());

/** `bookingCreated.customer.sms`. */
export const noticeName = (eventKind: string, { audience, channel }: Way): string =>
  `${eventWord(eventKind)}.${audience}.${channel}`;

/** The name of an event's notice: an event may use the customer's texts of another kind. */
export const noticeOf = <Payload extends object>(
  { toldAs }: Pick<Subject<Payload>, 'toldAs'>,
  event: Pick<NoticeEvent<Payload>, 'kind' | 'payload'>,
  way: Way,
): string => noticeName((way.audience === 'customer' && toldAs?.(event)) || event.kind, way);

/** Lists recipient and channel of the notices of a kind of event: `customer sms`. */
export function waysOf({ texts }: Pick<Subject, 'texts'>, eventKind: string): string[] {
  const names = Object.keys(texts).filter((name) => name.startsWith(`${eventWord(eventKind)}.`));
  return names.map((name) => name.split('.').slice(1).join(' '));
}

/**
 * Filled with the values of the event, even if the record has changed since. A workshop's text that does not render, or renders
 * empty, is replaced by the default; an SMS with too many segments is shortened. `variables` may be shared by the event's notices
 * of one channel.
 */
export function textOfNotice<Payload extends object, Variables extends NoticeVariables>(
  subject: Pick<Subject<Payload, Variables>, 'texts' | 'variables' | 'ownWords' | 'isLinkless' | 'toldAs'>,
  event: Omit<NoticeEvent<Payload>, 'workshopId' | 'version'>,
  way: Way,
  log: NoticeLog,
  variables: Variables = subject.variables(event, way.channel),
): NoticeText {
  const { eventId } = event;
  const name = noticeOf(subject, event, way);
  const text = subject.texts[name];
  if (text === undefined) throw new Error(`there is no notice ${name}`);
  const own = event.templates.find(({ purpose }) => purpose === name);

  function filled(template: string | null | undefined, what: string): string {
    if (template === null || template === undefined) return '';
    try {
      return renderTemplate(template, variables).trim();
    } catch (error) {
      log.warn({ err: error, notice: name, eventId }, `the workshop's ${what} does not render`);
      return '';
    }
  }

  function fitting(body: string): string {
    if (way.channel === 'email') return body;
    const short = shortenSms(body, segmentsAtMost);
    if (short !== body)
      log.warn({ notice: name, eventId }, `the workshop's text is too long, and was shortened`);
    return short;
  }

  /** The name of a workshop may look like a web address, and our texts contain it too. */
  function withoutForbiddenLink(body: string): string {
    const isForbidden = subject.isLinkless && holdsLink(body.replaceAll(variables.workshop.name, ''));
    if (isForbidden) log.warn({ notice: name, eventId }, `the workshop's text holds a link`);
    return isForbidden ? '' : body;
  }

  const worded = subject.ownWords?.(event.payload) ?? null;
  if (worded !== null) return { subject: '', body: fitting(worded), template: null };
  const ownBody = withoutForbiddenLink(filled(own?.body, 'text'));
  return {
    subject: oneLine(filled(own?.subject, 'subject') || renderTemplate(text.subject ?? '', variables)),
    body: fitting(ownBody || renderTemplate(text.body, variables).trim()),
    template: own !== undefined && ownBody !== '' ? { id: own.id, version: own.version } : null,
  };
}

/** The end of an e-mail after the details; empty for other notices. */
export function closingOf(texts: DefaultTexts, name: string, variables: TemplateVariables): string {
  return renderTemplate(texts[name]?.closing ?? '', variables);
}
