/** The text of a campaign message: it names the workshop and ends with how to stop; missing parts are added. */

import { phoneIn } from '#base/values/phone.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { normaliseString } from '#base/values/text.ts';
import { segmentsAtMost } from '#product/messaging/rules.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import { renderTemplate } from '#product/templates/render.ts';
import { TemplateError } from '#product/templates/template-error.ts';

export interface CampaignWorkshop {
  readonly name: string;
  readonly phone: string;
  /** ISO 3166 */
  readonly country: string;
  /** Null: the installation's number. */
  readonly smsSender: string | null;
}

/** The opt-out word, near the end of the text. */
const saysStop = /\bSTOP\b.{0,40}$/s;

/** Without differences of case and white space. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');

/** A customer can't answer an SMS whose sender is a name. */
function howToStop({ phone, country, smsSender }: CampaignWorkshop): string {
  const isName = smsSender !== null && /\p{L}/u.test(smsSender);
  return isName ? `To STOP these texts call ${phoneIn(country, phone)}` : 'Reply STOP to opt out';
}

export function campaignText(text: string, workshop: CampaignWorkshop): string {
  const named = plain(text).includes(plain(workshop.name)) ? text : `${workshop.name}: ${text}`;
  return saysStop.test(named) ? named : `${named}\n${howToStop(workshop)}`;
}

export type RenderedCampaign =
  | { readonly text: string; readonly segments: number }
  /** Why there is no text to send. */
  | { readonly fault: 'template' | 'emptyText' | 'tooLong' };

/** Fills a template for one customer. The segments include the added parts. */
export function renderCampaign(
  body: string,
  variables: TemplateVariables,
  workshop: CampaignWorkshop,
): RenderedCampaign {
  let rendered: string;
  try {
    rendered = normaliseString(renderTemplate(body, variables));
  } catch (error) {
    if (error instanceof TemplateError) return { fault: 'template' };
    throw error;
  }
  if (rendered === '') return { fault: 'emptyText' };
  const text = campaignText(rendered, workshop);
  const { segments } = measureSms(text);
  return segments > segmentsAtMost ? { fault: 'tooLong' } : { text, segments };
}
