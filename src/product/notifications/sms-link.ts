/** The link that ends an SMS to a customer. */
import { shortenSms } from '#base/values/shorten.ts';
import { measureSms } from '#base/values/sms-text.ts';

/** An SMS of ours fits these; the link does not make it longer than that. */
const partsAtMost = 2;

/** The text of an SMS with its link. One of two parts stays one of two: words are left out for the link where they have to be. */
export function withLink(body: string, label: string, url: string): string {
  const end = `\n${label}: ${url}`;
  const isLong = measureSms(body).segments > partsAtMost;
  return isLong ? body + end : shortenSms(body, partsAtMost, end);
}
