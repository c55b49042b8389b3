/** The words of a workshop in its reply: what stands above the quotation of our e-mail, whole. */
import { isDeviceLine } from './device-line.ts';
import { endsInColon, isBlank, isDated, type Line, linesOf } from './line-forms.ts';
import { quotationIn } from './quotation.ts';
import { replyLine, type SentMail } from './sent-mail.ts';

/** `refusal`: why they can't be told from what is quoted, for their author. */
export type OwnWords = { readonly text: string } | { readonly refusal: string };

const refusals = {
  adjoins:
    'what you wrote adjoins the header of the e-mail below it: leave an empty line between them, and reply again',
  cutOpen: `the e-mail that you answer has lost its first line, “${replyLine}”: leave it whole below your words, or take all of it out`,
  marks:
    'what you wrote has lines that begin with “>”, the mark of quotations: take them out, or write them without that mark',
  nothing: `nothing stands above the line “${replyLine}”: write your words there`,
} as const;

/** The sign of a signature (RFC 3676, 4.3): two dashes and a space. */
const signature = /^--[ \u00a0]$/;

/** Nothing of it is left out but a signature below `-- `, and what a phone or mail program signs with by itself. */
export function ownWords(text: string, sent: SentMail): OwnWords {
  const lines = linesOf(text);
  const quotation = quotationIn(text, lines, sent);
  if (quotation?.doubt) return { refusal: refusals[quotation.doubt] };
  const above = quotation === null ? withoutAnswers(lines, sent) : lines.slice(0, quotation.start);
  if (above === null) return { refusal: refusals.marks };
  const end = above.findIndex(({ raw }) => signature.test(raw));
  const own = withoutDevice(end < 0 ? above : above.slice(0, end)).map(({ raw }) => raw);
  const words = own.join('\n').trim();
  return words === '' && quotation !== null ? { refusal: refusals.nothing } : { text: words };
}

function withoutDevice(lines: readonly Line[]): readonly Line[] {
  const last = lines.findLastIndex((line) => !isBlank(line));
  return isDeviceLine(lines[last]?.raw ?? '') ? lines.slice(0, last) : lines;
}

/** Where our e-mail's begin is gone: without what it quoted of the customer; null: something else is marked as quoted. */
function withoutAnswers(lines: readonly Line[], { answers }: SentMail): readonly Line[] | null {
  const known = answers.map(condensed);
  const kept: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    const start = at++;
    if (!line.isQuoted) {
      kept.push(line);
      continue;
    }
    while (lines[at]?.isQuoted) at++;
    const run = lines.slice(start, at).map(({ bare }) => bare);
    const quoted = condensed(run.join(' '));
    if (quoted !== '' && !known.some((answer) => answer.includes(quoted)))
      return lines.every((each) => each.isQuoted || isBlank(each)) ? [] : null;
    const above = kept.findLastIndex((each) => !isBlank(each));
    const attribution = kept[above];
    if (attribution && endsInColon(attribution) && isDated(attribution)) kept.length = above;
  }
  return kept;
}

const condensed = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();
