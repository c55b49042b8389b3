/** The sender of an e-mail to a bounce address: a mail system, or somebody else. */
import type { Email } from 'postal-mime';

/** In characters: of each header. */
const headerAtMost = 1_000;

/** An empty sender of the envelope (RFC 5321, 4.5.5), which some servers hand on as a name of their own. */
const nullSender = /^<?(?:mailer-daemon(?:@.*)?)?>?$/i;
/** The names of mail systems, as the address or beside it; or no address. */
const mailSystem =
  /\bmail(?:er)?[-_. ]?daemon\b|\bpost[-_. ]?master\b|\bmail[-_. ]deliver(?:y|ed)?[-_. ](?:sub)?(?:system|service)|\bmail system\b|\bsystem administrator\b|<\s{0,20}>|^$/i;
/** Microsoft's complaints, which are no report of RFC 5965. */
const complaint = /^complaint about message from\b/i;
const failure = /\bundeliver|\bnon-?deliver|\bdelivery\b.{0,40}\bfail|\bfailed delivery\b|\breturned mail\b/i;
const answer =
  /^\W{0,10}re: |\bout[ -]of[ -](?:the[ -])?office\b|^\W{0,10}(?:auto(?:matic|mated)?[ -]?(?:reply|respon[sd]\w*|answer|antwort)|(?:on )?vacation|(?:i am |i'm )?away\b|on leave\b|abwesen|automatische|réponse automatique|respuesta automática|risposta automatica|自動)/i;

/** True of an empty sender, as the envelope has it or the header Return-Path. */
export const isNullSender = (sender: string) => nullSender.test(sender.trim());

/**
 * `system`: a mail system is its author. `bounce`: its envelope has no sender (`sender`: null when it is not known, and then the
 * header Return-Path has it, which the server that delivers sets), whatever `From` says, and it is no answer of a program for a
 * person, which has none too (RFC 3834). `other`: a complaint, an answer, a person's.
 */
export function originOf(mail: Email, sender: string | null): 'system' | 'bounce' | 'other' {
  const headerOf = (name: string) =>
    mail.headers
      .find(({ key }) => key === name)
      ?.value.slice(0, headerAtMost)
      .trim();
  const subject = (mail.subject ?? '').slice(0, headerAtMost);
  if (complaint.test(subject)) return 'other';
  if (mailSystem.test(headerOf('from') ?? '') || headerOf('x-failed-recipients') !== undefined)
    return 'system';
  if (!isNullSender(sender ?? headerOf('return-path') ?? 'unknown')) return 'other';
  return answer.test(subject) || (isAutomatic(headerOf) && !failure.test(subject)) ? 'other' : 'bounce';
}

/** By its headers a program wrote it in answer to an e-mail; some bounces have them too. */
const isAutomatic = (headerOf: (name: string) => string | undefined) =>
  /^auto-/i.test(headerOf('auto-submitted') ?? '') ||
  /^auto_reply\b/i.test(headerOf('precedence') ?? '') ||
  ['x-autoreply', 'x-autorespond', 'x-auto-reply'].some((name) => (headerOf(name) ?? '') !== '');
