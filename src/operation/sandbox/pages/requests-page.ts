/** GET /sandbox/requests.html: the last requests of partners, each with what was wrong, what was ignored, and both bodies. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { formatInstant } from '#base/values/instant.ts';
import type { LoggedRequest } from '#platform/http/request-log.ts';
import { facts } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Page } from '#platform/pages/layout.ts';
import { type Outcome, outcomeOf } from '../requests/outcome.ts';
import { choice, refreshing, requestsPath, sandboxPage, timeElement } from './parts.ts';

export interface Requests {
  /** Newest first. */
  readonly requests: readonly LoggedRequest[];
  /** The process that has them: each keeps its own. */
  readonly processId: string;
  /** A gateway is real, so no values of bodies are kept. */
  readonly redacted: boolean;
}

export interface RequestFilter {
  readonly outcome: Outcome | '';
  /** Part of a path, an operation or an id, in any case. */
  readonly search: string;
}

export function readRequestFilter({ outcome = '', search = '' }: Form): RequestFilter {
  return { outcome: outcomeOf(outcome) ?? '', search: search.slice(0, 255) };
}

export function requestsPage(filter: RequestFilter, { requests, processId, redacted }: Requests): Page {
  const ignoring = requests.filter(({ ignoredFields }) => ignoredFields.length > 0).length;
  const all = requests.length === 1 ? '1 request' : `${requests.length} requests, newest first`;
  const isFiltered = filter.outcome !== '' || filter.search !== '';
  return sandboxPage({
    path: requestsPath,
    title: 'Requests',
    intro:
      'The last requests of partners to this process, without secrets and tokens. A restart forgets them.',
    main: html`${filterForm(filter)}
<p id="count" class="quiet" role="status" data-live>${ignoring === 0 ? all : `${all} · ${ignoring} with ignored fields`}</p>
${redacted ? html`<p class="quiet">A gateway is real here, so no values of bodies and queries are kept.</p>` : null}
<ol id="requests" class="requests" aria-label="Requests, newest first" data-live data-process="${processId}">${requests.map((each) => row(each, processId))}</ol>
<p id="none" class="empty" data-live${requests.length > 0 ? html` hidden` : null}>${isFiltered ? 'No request fits the filter.' : 'No partner has asked for anything yet: call the API.'}</p>`,
  });
}

const filterForm = ({
  outcome,
  search,
}: RequestFilter) => html`<form id="filter" class="filter" action="${requestsPath}" aria-label="Filter">
${choice('outcome', 'Show', outcome, [
  { value: '', label: 'All requests' },
  { value: 'refused', label: 'Refused ones' },
  { value: 'ignored', label: 'Those with ignored fields' },
  { value: 'accepted', label: 'Accepted ones' },
])}
<label class="wide">Path, operation or request id <input name="search" type="search" autocomplete="off" maxlength="255" placeholder="/bookings" value="${search}"></label>
<noscript><button class="button quiet">Show</button></noscript>
<div class="bar">${refreshing(requestsPath)}</div>
</form>`;

function row(request: LoggedRequest, processId: string): SafeHtml {
  const { id, at, method, path, status, durationMs, errorCode, ignoredFields } = request;
  const isRefused = status >= 400;
  const note = [
    isRefused && errorCode !== null ? errorCode : '',
    ignoredFields.length === 0 ? '' : `ignores ${ignoredFields.join(', ')}`,
    `${durationMs} ms`,
  ];
  const when = formatInstant(at);
  return html`<li data-key="${processId} ${id} ${when}" data-process="${processId}" data-at="${when}"><details name="request"><summary class="row"><span class="${isRefused ? 'status bad' : 'status'}">${String(status)}</span><span class="what"><b>${method}</b> ${path}</span>${timeElement(when, 'moment')}<span class="quiet note">${note.filter(Boolean).join(' · ')}</span></summary>${detail(request)}</details></li>
`;
}

function detail(request: LoggedRequest): SafeHtml {
  const { at, status, operationId, partnerId, id, durationMs, replayed } = request;
  return html`<div class="request">${facts([
    ['Response', replayed ? `${status}, an idempotent replay` : String(status)],
    ['Operation', operationId ?? 'none: there is no such path or method'],
    ['Partner', partnerId ?? 'no X-Partner-ID was sent'],
    ['Request id', id],
    ['When', html`${timeElement(formatInstant(at), 'long')} (${String(durationMs)} ms)`],
  ])}${refusal(request)}${ignored(request)}${body('Request', request.requestBody)}${body('Response', request.responseBody)}</div>`;
}

function refusal({ errorCode, message, errors }: LoggedRequest): SafeHtml | null {
  if (message === null) return null;
  const items = errors.map(({ field, message: what }) => html`<li><code>${field}</code> ${what}</li>`);
  return html`<div class="trouble"><p>${errorCode === null ? message : `${errorCode} · ${message}`}</p><ul>${items}</ul></div>`;
}

function ignored({ ignoredFields }: LoggedRequest): SafeHtml | null {
  if (ignoredFields.length === 0) return null;
  const items = ignoredFields.map((name) => html`<li><code>${name}</code></li>`);
  return html`<div class="ignored"><p>Ignored: the operation does not know these fields, or does not change them.</p><ul>${items}</ul></div>`;
}

const body = (title: string, text: string | null): SafeHtml | null =>
  text === null ? null : html`<h2>${title}</h2><pre tabindex="0">${pretty(text)}</pre>`;

/** With line breaks, unless it was cut. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
