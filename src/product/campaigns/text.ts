/** The text of a campaign message: it names the workshop and ends with how to stop; missing parts are added. */

import { measureSms } from '#base/values/sms-text.ts';
import { normaliseString } from '#base/values/text.ts';
import { segmentsAtMost } from '#product/messaging/rules.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import { renderTemplate } from '#product/templates/render.ts';
import { TemplateError } from '#product/templates/template-error.ts';
import { type WayOut, withCost } from '#product/way-out/way-out.ts';

/** The opt-out word, near the end of the text; "PIT STOP" and "ONE-STOP SHOP" ask for no answer. */
const saysStop = /(?<!\b(?:PIT|ONE|NON|BUS|FULL)[ -])\bSTOP\b.{0,40}$/s;

/** Without differences of case and white space. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');

/** Where an answer comes here a text that names the opt-out word has its way out; elsewhere that word is taken out. */
export function campaignText(text: string, workshop: { readonly name: string }, wayOut: WayOut): string {
  const named = plain(text).includes(plain(workshop.name)) ? text : `${workshop.name}: ${text}`;
  // A workshop may be named so.
  if (!saysStop.test(named.replaceAll(workshop.name, ' '))) return `${named}\n${wayOut.text}`;
  return wayOut.way === 'reply' ? withCost(named, wayOut.cost) : `${withoutStop(named)}\n${wayOut.text}`;
}

/** How sentences that ask for an answer begin. */
const asks = /^(?:or |please |just )?(?:reply|answer|text|txt|sms|send|respond)\b/i;

/** Takes out the last sentence, when it asks to answer STOP: nobody can. Other words stay as they are. */
function withoutStop(text: string): string {
  const at = text.lastIndexOf('STOP');
  let from = at;
  while (from > 0 && !/[.!?\n]/.test(text.charAt(from - 1))) from--;
  return from > 0 && asks.test(text.slice(from).trimStart()) ? text.slice(0, from).trimEnd() : text;
}

export type RenderedCampaign =
  | { readonly text: string; readonly segments: number }
  /** Why there is no text to send. */
  | { readonly fault: 'template' | 'emptyText' | 'tooLong' | 'noWayOut' };

/** How what has no text ends: skipped where it may not go, failed where it can't be made. */
export const unsent = ({ fault }: { readonly fault: string }) =>
  ({ state: fault === 'noWayOut' ? 'skipped' : 'failed', reason: fault }) as const;

/** Fills a template for one customer. The segments include the added parts. */
export function renderCampaign(
  body: string,
  variables: TemplateVariables,
  workshop: { readonly name: string },
  wayOut: WayOut,
): RenderedCampaign {
  if (wayOut.way === 'none') return { fault: 'noWayOut' };
  let rendered: string;
  try {
    rendered = normaliseString(renderTemplate(body, variables));
  } catch (error) {
    if (error instanceof TemplateError) return { fault: 'template' };
    throw error;
  }
  if (rendered === '') return { fault: 'emptyText' };
  const text = campaignText(rendered, workshop, wayOut);
  const { segments } = measureSms(text);
  return segments > segmentsAtMost ? { fault: 'tooLong' } : { text, segments };
}
