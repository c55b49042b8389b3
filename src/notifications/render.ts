/** Renders the text of a notice: the workshop's own template, else the default text of the notice's name. */
import { segmentsAtMost } from '#messaging/rules.ts';
import type { Channel } from '#sending/kinds.ts';
import type { TemplateVariables } from '#templates/fields.ts';
import { renderTemplate } from '#templates/render.ts';
import { oneLine } from '#values/one-line.ts';
import { shortenSms } from '#values/shorten.ts';

interface Text {
  /** E-mails only. */
  readonly subject?: string;
  readonly body: string;
  /** What stands after the details of an e-mail. A workshop's own body is followed by none. */
  readonly closing?: string;
}

/** By the notice's name: event, audience, channel. */
export type DefaultTexts = Readonly<Record<string, Text>>;

/** Gets a warning for each fault in a workshop's own text. */
export interface NoticeLog {
  warn(facts: object, message: string): void;
}

export interface RenderedNotice<Variables> {
  readonly variables: Variables;
  /** Empty for an SMS. */
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
  /** Plain text after the details; empty for an SMS, and after the workshop's own body. */
  readonly closing: string;
  /** True when the body is the workshop's own text, not the default. */
  readonly isOwnText: boolean;
}

export interface NoticeToRender<Variables> {
  /** Of its event. */
  readonly id: string;
  /** `bookingCreated.customer.sms` */
  readonly name: string;
  readonly channel: Channel;
  readonly texts: DefaultTexts;
  /** The workshop's own. */
  readonly templateSubject: string | null;
  readonly templateBody: string | null;
  readonly variables: Variables;
}

/**
 * A workshop's text that does not render, or renders empty, is replaced by the default; an SMS with more segments than may be sent
 * is shortened.
 */
export function renderNotice<Variables extends TemplateVariables>(
  notice: NoticeToRender<Variables>,
  log: NoticeLog,
): RenderedNotice<Variables> {
  const { id: eventId, name, channel, texts, variables } = notice;
  const text = texts[name];
  if (text === undefined) throw new Error(`there is no notice ${name}`);

  function own(template: string | null, what: string): string {
    if (template === null) return '';
    try {
      return renderTemplate(template, variables).trim();
    } catch (error) {
      log.warn({ err: error, notice: name, eventId }, `the workshop's ${what} does not render`);
      return '';
    }
  }

  function fitting(body: string): string {
    if (channel === 'email') return body;
    const short = shortenSms(body, segmentsAtMost);
    if (short !== body)
      log.warn({ notice: name, eventId }, `the workshop's text is too long, and was shortened`);
    return short;
  }

  const ownText = own(notice.templateBody, 'text');
  const subject = own(notice.templateSubject, 'subject') || renderTemplate(text.subject ?? '', variables);
  return {
    variables,
    subject: oneLine(subject),
    body: fitting(ownText || renderTemplate(text.body, variables).trim()),
    closing: ownText === '' ? closingOf(texts, name, variables) : '',
    isOwnText: ownText !== '',
  };
}

/** What stands after the details of an e-mail of ours; empty for other notices. */
export function closingOf(texts: DefaultTexts, name: string, variables: TemplateVariables): string {
  return renderTemplate(texts[name]?.closing ?? '', variables);
}
