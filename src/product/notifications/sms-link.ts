/** The link at the end of an SMS to a customer. */
import { shortenSms } from '#base/values/shorten.ts';
import { measureSms } from '#base/values/sms-text.ts';

/** Default SMS texts fit into this many segments; the link does not make them longer. */
const partsAtMost = 2;

/** The text of an SMS with its link. A text of two segments stays within two: it is shortened for the link if necessary. */
export function withLink(body: string, label: string, url: string): string {
  const end = `\n${label}: ${url}`;
  const isLong = measureSms(body).segments > partsAtMost;
  return isLong ? body + end : shortenSms(body, partsAtMost, end);
}
