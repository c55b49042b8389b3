/** Finds where the quotation of our e-mail begins in a reply, by what we know of that e-mail and not by the words of a language. */
import {
  beginsInAddress,
  endsInColon,
  hasAddress,
  hasMoment,
  isBlank,
  isDateAlone,
  isDated,
  isHeader,
  isLabelOfSender,
  isRule,
  isShort,
  type Line,
  names,
} from './line-forms.ts';
import { replyLine, type SentMail } from './sent-mail.ts';

/** A mail program may wrap our line, and put marks before each part. */
const markerAgain = new RegExp(replyLine.split(' ').map(RegExp.escape).join('[\\s>|*]+'), 'i');
/** The subject, and the first sentence. They name customers. */
const summary = /\b\d{1,9} new answers? from\b/;
const replyAddress = /\b(?:reply|bounce)\+[0-9a-f]{56}@/;
/** It stands below a customer's words; in HTML it is a link, so that programs write the address twice. */
const isReplyTo = ({ bare }: Line) => bare.startsWith('reply to:') && replyAddress.test(bare);
/** The filler of the hidden preview of our HTML (`htmlOf`), which begins with a customer's words: below our line, and above all else. */
const filler = /(?:\u034f\u200c[\s\u00a0]?){3}/;

export interface Quotation {
  /** The number of its first line. */
  readonly start: number;
  /**
   * `adjoins`: its header may be longer, or the lines above it the author's. `cutOpen`: its begin was taken out, so that what is
   * above may be of other customers. Null: the lines above are its author's, and all of them.
   */
  readonly doubt: 'adjoins' | 'cutOpen' | null;
}

/** Null: there is none. */
export function quotationIn(text: string, lines: readonly Line[], sent: SentMail): Quotation | null {
  const lineOf = (at: number | undefined) =>
    at === undefined ? -1 : text.slice(0, at).split('\n').length - 1;
  const marker = lineOf(markerAgain.exec(text)?.index);
  const preview = marker < 0 ? lineOf(filler.exec(text)?.index) : -1;
  const isOurs = ({ bare }: Line) =>
    summary.test(bare) || replyAddress.test(bare) || sent.senders.some((each) => bare.includes(each));
  const isTheirs = (line: Line) =>
    endsInColon(line) && isDated(line) && sent.recipients.some((each) => line.bare.includes(each));
  const first = lines.findIndex(
    (line, at) => at === marker || at === preview || isOurs(line) || isTheirs(line),
  );
  const found = lines[first];
  if (found === undefined) return null;
  if (first !== marker && isReplyTo(found)) return { start: first, doubt: 'cutOpen' };
  const above = new Above(lines, sent);
  if (first === marker) return above.ofMarker(first);
  if (first === preview) return above.ofPreview(first);
  return isHeader(found) || summary.test(found.bare) ? above.ofHeader(first) : above.ofAttribution(first);
}

/** In lines: the most that a mail program puts between the name of the sender and the subject. */
const headerAtMost = 12;

/** Looks upwards from a line of the quotation for its first one. */
class Above {
  readonly #lines: readonly Line[];
  readonly #sent: SentMail;

  constructor(lines: readonly Line[], sent: SentMail) {
    this.#lines = lines;
    this.#sent = sent;
  }

  /** A line above it that names us, or a date, and ends in a colon; or a header; or nothing. */
  ofMarker(marker: number): Quotation {
    const last = this.#lastAbove(marker);
    const line = this.#at(last);
    const isNear = last === marker - 1 && this.#at(marker).isQuoted;
    if (endsInColon(line) && (isNear || this.#isKnown(line))) return this.ofAttribution(last);
    if (this.#isHeaderBlock(last)) return this.ofHeader(last);
    return this.#found(marker);
  }

  /** A mail program that makes text of our HTML may wrap the preview, whose end alone is known. */
  ofPreview(end: number): Quotation {
    let start = end;
    while (start > 0 && this.#at(start - 1).isQuoted && !isBlank(this.#at(start - 1))) start--;
    const above = this.#at(start - 1);
    if (!isBlank(above) && this.#isWrapped(above, this.#at(start))) return { start, doubt: 'adjoins' };
    return this.ofMarker(start);
  }

  /**
   * A line such as `On 4 April 2029 at 15:59, Garage <noreply@…> wrote:`, which mail programs wrap: it goes on upwards while it lacks
   * its begin.
   */
  ofAttribution(end: number): Quotation {
    let start = end;
    for (let wrapped = 0; wrapped < 3; wrapped++) {
      const own = this.#lines.slice(start, end + 1);
      const above = this.#at(start - 1);
      const last = this.#lastAbove(start);
      if (own.some(isDated)) break;
      if (beginsInAddress(this.#at(start))) {
        const isOpen = this.#at(start).bare === '<';
        const goesOn = isOpen ? isDated(this.#at(last)) : above.bare === '<' || this.#isKnown(above);
        if (last < 0 || !goesOn) break;
        start = isOpen ? last : start - 1;
      } else if (isBlank(above)) break;
      else if (isDateAlone(above) || (this.#isWrapped(above, this.#at(start)) && this.#isKnown(above)))
        start--;
      else if (!own.some((line) => this.#isKnown(line)) && this.#isWrapped(above, this.#at(start))) start--;
      else break;
    }
    return this.#found(start);
  }

  /** Lines such as `From: Garage`, wrapped ones among them. */
  ofHeader(end: number): Quotation {
    let start = end;
    for (let at = end - 1; at >= 0 && !isBlank(this.#at(at)); at--) {
      const line = this.#at(at);
      if (isHeader(line) || isRule(line)) start = at;
      else if (!/^\s/.test(line.raw) && !hasAddress(line)) break;
    }
    const block = this.#lines.slice(start, end + 1);
    const from = block.findIndex((line) => names(line, this.#sent));
    const isForeign = (line: Line) => !isDated(line) && !isRule(line) && !summary.test(line.bare);
    if (from > 0 && block.slice(0, from).some(isForeign)) return { start, doubt: 'adjoins' };
    return this.#found(from < 0 && !isHeader(this.#at(end)) ? this.#spacedHeader(start) : start);
  }

  /** Lotus Notes puts the sender's name, the date and the labels into paragraphs of their own. */
  #spacedHeader(end: number): number {
    const least = Math.max(0, end - headerAtMost);
    for (let at = end - 1; at >= least && isShort(this.#at(at)); at--) {
      const between = this.#lines.slice(at, end);
      if (names(this.#at(at), this.#sent) && between.some(isDated) && !isHeader(this.#at(at))) return at;
    }
    return end;
  }

  /** With the lines of dashes above it, and the label of a table's cell. */
  #found(first: number): Quotation {
    let start = first;
    for (let last = this.#lastAbove(start); last >= 0; last = this.#lastAbove(start)) {
      const line = this.#at(last);
      if (!isRule(line) && !isLabelOfSender(line)) break;
      start = last;
    }
    return { start, doubt: null };
  }

  #at(at: number): Line {
    return this.#lines[at] ?? { raw: '', bare: '', isQuoted: false };
  }

  /** The last line above that is not blank; -1: there is none. */
  #lastAbove(at: number): number {
    let last = at - 1;
    while (last >= 0 && isBlank(this.#at(last))) last--;
    return last;
  }

  #isKnown(line: Line): boolean {
    return isDated(line) || hasAddress(line) || names(line, this.#sent);
  }

  /** Mail programs wrap at 70 to 80 characters, before a word that has no more room. */
  #isWrapped(above: Line, below: Line): boolean {
    const [word = ''] = below.bare.split(' ', 1);
    return above.bare.length + 1 + word.length > 60 && !/[.!?…。]$/.test(above.bare);
  }

  /** The paragraph has header lines alone, a date, and sender, recipient or an address. */
  #isHeaderBlock(end: number): boolean {
    let first = end;
    while (first > 0 && !isBlank(this.#at(first - 1))) first--;
    const block = this.#lines.slice(Math.max(first, 0), end + 1).filter((line) => !isRule(line));
    return (
      block.length > 1 &&
      block.every((line, n) => isHeader(line) || (n > 0 && /^\s/.test(line.raw))) &&
      block.some(hasMoment) &&
      block.some((line) => hasAddress(line) || names(line, this.#sent))
    );
  }
}
