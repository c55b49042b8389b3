/** The parts that both pages of the sandbox have. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Page } from '#platform/pages/layout.ts';
import { siteTop } from '#platform/pages/site-top.ts';
import { files } from './files.ts';

export const messagesPath = '/sandbox';
export const requestsPath = '/sandbox/requests.html';

export interface SandboxPage {
  readonly path: typeof messagesPath | typeof requestsPath;
  readonly title: string;
  readonly intro: string;
  /** Above the page, where it stays when a part of the page is replaced. */
  readonly tools?: SafeHtml;
  readonly main: SafeHtml;
}

export function sandboxPage({ path, title, intro, tools, main }: SandboxPage): Page {
  const link = (to: string, label: string) =>
    html`<a href="${to}"${to === path ? html` aria-current="page"` : null}>${label}</a>`;
  return {
    title: path === messagesPath ? 'Sandbox · Pitlane' : `${title} · Sandbox · Pitlane`,
    shop: null,
    top: html`${siteTop(messagesPath, true)}
<section class="sandbox-top" aria-labelledby="title">
<div><h1 id="title">${title}</h1><p class="quiet">${intro}</p></div>
<nav aria-label="Sandbox">${link(messagesPath, 'Messages')} ${link(requestsPath, 'Requests')}</nav>
</section>
<p id="trouble" class="trouble" role="alert" hidden></p>
${tools ?? null}`,
    stylesheet: files.css.path,
    script: files.script.path,
    hasFrames: true,
    main,
  };
}

const short = new Intl.DateTimeFormat('en-AU', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/**
 * A time in UTC, which the script writes in the viewer's zone: `short` is a day and a minute, `long` has the weekday and the zone,
 * `moment` is the time of today or a day and a time, `clock` goes on by itself.
 */
export function timeElement(at: string, as: 'short' | 'long' | 'moment' | 'clock', id?: string): SafeHtml {
  const live = id === undefined ? null : html` id="${id}" data-live`;
  return html`<time${live} datetime="${at}" data-as="${as}" class="quiet">${short.format(new Date(at))} UTC</time>`;
}

/** The box `Refresh by itself` of the filters. It works with the script alone, which shows it. */
export const refreshing = (href: string): SafeHtml =>
  html`<label class="check" data-scripted hidden><input id="auto" type="checkbox" checked> Refresh by itself</label>
<a id="refresh" class="button quiet" href="${href}">Refresh</a>`;

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function choice(name: string, label: string, value: string, options: readonly Choice[]): SafeHtml {
  return html`<label>${label} <select name="${name}">${options.map((option) => html`<option value="${option.value}"${option.value === value ? html` selected` : null}>${option.label}</option>`)}</select></label>`;
}
