/** Previews a text as an SMS: segments, encoding and warnings. Nothing is sent or stored. */
import { linkWarnings } from '#base/values/link-warnings.ts';
import { linkAcross, linksIn } from '#base/values/links.ts';
import { charactersOutsideGsm } from '#base/values/sms-alphabet.ts';
import { measureSms, type SmsMeasure, splitSms } from '#base/values/sms-text.ts';
import { cleanText } from '#base/values/text.ts';
import { segmentsAtMost } from './rules.ts';

export interface SmsPreview extends SmsMeasure {
  readonly text: string;
  /** The characters that force UCS-2; empty for the GSM alphabet. */
  readonly outsideGsm: string[];
  /** True when it has more segments than allowed. */
  readonly tooLong: boolean;
  /** The text of each segment; the whole text when there is one. */
  readonly parts: string[];
  /** Sentences for people: too many segments, links that may break. */
  readonly warnings: string[];
}

/** Normalises the text as the API does, so that it measures the text that would be sent. */
export function previewText(typed: string): SmsPreview {
  const text = cleanText(typed);
  const { encoding, segments, units, perSegment, unitsLeft } = measureSms(text);
  const outsideGsm = charactersOutsideGsm(text);
  const tooLong = segments > segmentsAtMost;
  const parts = splitSms(text);
  const long = tooLong ? [`it has ${segments} segments, and at most ${segmentsAtMost} are sent`] : [];
  const warnings = [...long, ...linkWarnings(text), ...cutLinks(text, parts)];
  return { text, encoding, segments, units, perSegment, unitsLeft, outsideGsm, tooLong, parts, warnings };
}

function cutLinks(text: string, parts: readonly string[]): string[] {
  const links = linksIn(text);
  let at = 0;
  return parts.flatMap((part, index) => {
    at += part.length;
    const link = linkAcross(links, at);
    return link === null
      ? []
      : [`${link.text} is cut after part ${index + 1}: not every phone joins it again`];
  });
}
