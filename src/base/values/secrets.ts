/** Removes what must not be stored of a request or a response: secrets, tokens, passwords. */

const hidden = '…';

/** A field or a parameter whose value is a secret, by its name. */
const secretName = /secret|token|passw|authorization|api-?_?key|app-?_?key/i;

/** Secrets that this service hands out, wherever they stand, also percent-encoded: app keys, secrets, tokens, the secrets of webhooks. */
const issued = /(?:ptl_[a-z]+_|whsec_)[\w+/=%-]+/g;
/** A user name and password before a host, and the values of a query: a link may open something. */
const inAddress = /\b(https?:\/\/)(?:[^\s/?#@"]*@)?([^\s?#"]*)(?:\?[^\s#"]*)?/gi;

/**
 * Each match of the two patterns above contains one of these: a new prefix belongs here too. Most texts have none, and finding that
 * out is quicker than searching for a pattern.
 */
const marks = ['://', 'ptl_', 'whsec_'];
const mayHoldSecrets = (text: string) => marks.some((mark) => text.includes(mark));

/** The text without secrets that can be told by their form. */
export function withoutSecrets(text: string): string {
  if (!mayHoldSecrets(text)) return text;
  return text
    .replace(inAddress, (whole, scheme: string, rest: string) =>
      whole.includes('?') ? `${scheme}${rest}?${hidden}` : `${scheme}${rest}`,
    )
    .replace(issued, hidden);
}

/**
 * A JSON value as a JSON text without secrets, told by the names of their fields or by their form. With `valuesToo` nothing is left
 * but the names of the fields and how long the lists are. What comes after the first `wanted` characters may be missing.
 */
export function jsonWithoutSecrets(
  value: unknown,
  { valuesToo = false, wanted = Number.POSITIVE_INFINITY } = {},
): string {
  const shown = (name: string, each: unknown): unknown => {
    if (each !== null && typeof each === 'object') {
      if (secretName.test(name)) return hidden;
      return Array.isArray(each) ? each : withSafeNames(each);
    }
    if (each === null) return null;
    if (valuesToo || secretName.test(name)) return hidden;
    return typeof each === 'string' ? withoutSecrets(each) : each;
  };
  // A lower bound of the characters that are written.
  let written = 0;
  const shownInPart = (name: string, each: unknown): unknown => {
    if (written > wanted) return null;
    const one = shown(name, each);
    if (one !== undefined) written += typeof one === 'string' ? one.length : 1;
    return one;
  };
  return JSON.stringify(value, shownInPart) ?? 'null';
}

/** The caller chooses the names of fields that are not known. */
function withSafeNames(value: object): object {
  if (!Object.keys(value).some(mayHoldSecrets)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [withoutSecrets(name), each]));
}

/** ASCII without its percent-encoding. What is no encoding stays as it is. */
const decoded = (text: string) =>
  text.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A part of a URL as it is, or, where it has secrets, decoded and without them. */
function partWithoutSecrets(part: string): string {
  const plain = decoded(part);
  const shown = withoutSecrets(plain);
  return shown === plain ? part : shown;
}

/** A path with its query, without secrets. */
export function pathWithoutSecrets(path: string): string {
  const [before = '', query] = path.split(/\?(.*)/s, 2);
  if (query === undefined) return partWithoutSecrets(before);
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value] = parameter.split(/=(.*)/s, 2);
    if (value === undefined) return partWithoutSecrets(name);
    return `${partWithoutSecrets(name)}=${secretName.test(decoded(name)) ? hidden : partWithoutSecrets(value)}`;
  });
  return `${partWithoutSecrets(before)}?${parameters.join('&')}`;
}
