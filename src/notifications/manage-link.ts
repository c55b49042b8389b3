/** The short link with which a customer sees, moves or cancels the booking: every notice to a customer ends with it. */
import { managePath } from '#bookings/manage-link/codes.ts';
import { shortenSms } from '#values/shorten.ts';
import { measureSms } from '#values/sms-text.ts';

/** An SMS of ours fits these; the link does not make it longer than that. */
const partsAtMost = 2;

export const manageUrl = (publicUrl: string, code: string) => publicUrl + managePath(code);

/** The text of an SMS with its link. One of two parts stays one of two: words are left out for the link where they have to be. */
export function withManageLink(body: string, url: string): string {
  const end = `\nYour booking: ${url}`;
  const isLong = measureSms(body).segments > partsAtMost;
  return isLong ? body + end : shortenSms(body, partsAtMost, end);
}
