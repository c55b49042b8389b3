/** One request in detail: what was wrong, what was ignored, both bodies. */
import { element } from './element.mjs';

/** The elements of the detail. */
export function detailOf(request) {
  const { method, path, status, operationId, partnerId, id, at, durationMs, replayed } = request;
  return [
    element('h2', {}, `${method} ${path}`),
    element(
      'dl',
      { class: 'facts' },
      ...fact('Answer', replayed ? `${status}, an idempotent replay` : String(status)),
      ...fact('Operation', operationId ?? 'none: there is no such path or method'),
      ...fact('Partner', partnerId ?? 'no X-Partner-ID was sent'),
      ...fact('Request id', id),
      ...fact('When', `${new Date(at).toLocaleString()} (${durationMs} ms)`),
    ),
    ...refusalOf(request),
    ...ignoredOf(request),
    ...bodyOf('Request', request.requestBody),
    ...bodyOf('Answer', request.responseBody),
  ];
}

const fact = (term, text) => [element('dt', {}, term), element('dd', {}, text)];

function refusalOf({ errorCode, message, errors }) {
  if (message === null) return [];
  const title = errorCode === null ? message : `${errorCode} · ${message}`;
  const rows = errors.map(({ field, message: what }) =>
    element('li', {}, element('code', {}, field), ` ${what}`),
  );
  return [element('div', { class: 'trouble' }, element('p', {}, title), element('ul', {}, ...rows))];
}

function ignoredOf({ ignoredFields }) {
  if (ignoredFields.length === 0) return [];
  const names = ignoredFields.map((name) => element('li', {}, element('code', {}, name)));
  const text = 'Ignored: the operation does not know these fields, or does not change them.';
  return [element('div', { class: 'ignored' }, element('p', {}, text), element('ul', {}, ...names))];
}

function bodyOf(title, text) {
  if (text === null) return [];
  return [element('h3', {}, title), element('pre', { tabindex: '0' }, pretty(text))];
}

/** With line breaks, unless it was cut. */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
