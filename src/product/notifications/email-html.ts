/**
 * The HTML part of an e-mail. Styles are in `style` attributes, since many mail programs ignore a <style> element, which has only
 * the dark colours. Nothing is loaded from outside.
 */

import { runsRightToLeft } from '#base/values/bidi.ts';
import { type Accent, accentOf } from '#platform/pages/colour.ts';
import { type EmailContent, plain } from './email-content.ts';
import { escaped, inline, type Links } from './email-inline.ts';
import { logoBand } from './email-logo.ts';

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ink = '#16202e';
const muted = '#56606e';
const line = '#dfe3e8';
/** Long words, such as addresses, break anywhere rather than widen the page. */
const breaks = 'overflow-wrap:anywhere;word-break:break-word';

const usualColour = '#16324f';

/** For mail programs with a dark mode; the others show the light colours. */
function darkStyle(colour: string): string {
  const { fill, onFill, text } = accentOf(colour, 'dark');
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#12161c!important}
.card{background:#1b212a!important;border-color:#34404d!important}
.brand,.button{background:${fill}!important;color:${onFill}!important}
.ink{color:#e9eef3!important}
.muted{color:#aab5c1!important}
.line{border-color:#34404d!important}
a{color:${text}!important}
.muted a{color:#aab5c1!important}
.button a{color:${onFill}!important}
}`;
}

/** Outlook for Windows does not support max-width. */
const outlook = {
  open: '<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
  close: '<!--[if mso]></td></tr></table><![endif]-->',
};

/** Keeps mail programs from showing the beginning of the e-mail after the preview. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(40);

/** All content is escaped. */
export function htmlOf(content: EmailContent): string {
  const {
    subject,
    preview,
    workshopName,
    topLine,
    body,
    actions = [],
    facts,
    quotes,
    phones,
    closing,
    footer,
  } = content;
  const colour = content.colour ?? usualColour;
  const accent = accentOf(colour, 'light');
  const links: Links = { phones, colour: accent.text };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(subject)}</title>
<style>
${darkStyle(colour)}
</style>
</head>
<body class="page ink" style="margin:0;padding:24px 12px;background:#f2f4f7;${font};font-size:16px;line-height:1.5;color:${ink}">
${above(topLine)}<div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px">${escaped(plain(preview))}${filler}</div>
${outlook.open}
<div class="card" style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid ${line};border-radius:8px;overflow:hidden">
${content.logo ? logoBand(content.logo, escaped(workshopName), accent) : nameBand(workshopName, accent)}
<div style="padding:24px">
<h1 class="ink"${direction(subject)} style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600;color:${ink};${breaks}">${inline(subject, null)}</h1>
${[...paragraphs(body, links), ...actions.map((each) => button(each, accent)), ...quotes.map((each) => quote(each, links)), table(facts, links), ...paragraphs(closing, links)].filter(Boolean).join('\n')}
</div>
</div>
<p class="muted"${direction(footer)} style="max-width:512px;margin:16px auto 0;padding:0 12px;font-size:13px;line-height:1.5;color:${muted};${breaks}">${inline(footer, { phones, colour: muted })}</p>
${outlook.close}
</body>
</html>
`;
}

const nameBand = (name: string, { fill, onFill }: Accent) =>
  `<div class="brand"${direction(name)} style="padding:14px 24px;background:${fill};color:${onFill};font-weight:600;${breaks}">${escaped(name)}</div>`;

function above(topLine = ''): string {
  if (topLine === '') return '';
  return `<p class="muted" style="max-width:512px;margin:0 auto 16px;padding:0 12px;font-size:13px;line-height:1.5;color:${muted}">${escaped(topLine)}</p>\n`;
}

/** The cell has the colour and corners, since Outlook for Windows gives a link no padding; `mso-padding-alt` is for Outlook. */
function button(
  { label, url }: NonNullable<EmailContent['actions']>[number],
  { fill, onFill }: Accent,
): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr><td class="button" bgcolor="${fill}" style="background:${fill};border-radius:8px;mso-padding-alt:12px 20px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;color:${onFill};font-weight:600;text-decoration:none">${escaped(label)}</a></td></tr></table>`;
}

function paragraphs(body: string, links: Links): string[] {
  if (body === '') return [];
  const style = `margin:0 0 16px;color:${ink};${breaks}`;
  return plain(body)
    .trim()
    .split(/\n{2,}/)
    .map((text) => `<p class="ink"${direction(text)} style="${style}">${inline(text, links)}</p>`);
}

function quote([writer, words, replyTo]: EmailContent['quotes'][number], links: Links): string {
  return `<div class="line" style="margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid ${line}">
<div class="muted" style="font-size:14px;color:${muted};${breaks}">${inline(writer, links)}</div>
<div class="ink"${direction(words)} style="color:${ink};${breaks}">${inline(words, links)}</div>${replyTo ? `\n<div class="muted" style="margin-top:4px;font-size:14px;color:${muted};${breaks}">${inline(`Reply to: ${replyTo}`, links)}</div>` : ''}
</div>`;
}

function table(facts: EmailContent['facts'], links: Links): string {
  if (facts.length === 0) return '';
  const cell = `padding:8px 0;border-top:1px solid ${line};vertical-align:top;font-size:15px`;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" class="muted line" style="${cell};width:98px;padding-right:10px;text-align:left;font-weight:400;font-size:14px;line-height:22px;color:${muted}">${escaped(label)}</th>` +
      `<td class="ink line" style="${cell};color:${ink};${breaks}"><span${direction(value)}>${inline(value, links)}</span></td></tr>`,
  );
  return `<table style="width:100%;margin:0 0 16px;table-layout:fixed;border-collapse:collapse;${font}">\n${rows.join('\n')}\n</table>`;
}

/** A sentence of ours that begins with an Arabic name still runs from left to right, which `dir="auto"` would reverse. */
const direction = (text: string) => (runsRightToLeft(text) ? ' dir="rtl"' : '');
