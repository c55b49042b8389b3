/** Twilio's signature of its requests: an HMAC over the URL that it called and the parameters of the body. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'node:querystring';

/** By name; a repeated parameter has both values. */
export type SignedParameters = Readonly<Record<string, readonly string[]>>;

/**
 * True when `signature` is Twilio's for this request. Some of Twilio's systems sign the URL with the port of its scheme and some
 * without, as it was called or escaped in one of two ways: the forms that Twilio's own library accepts. Throws when `url` is no
 * URL.
 */
export function isSigned(
  authToken: string,
  signature: string,
  url: string,
  parameters: SignedParameters,
): boolean {
  const suffix = Object.keys(parameters)
    .sort()
    .flatMap((name) => [...new Set(parameters[name])].sort().map((value) => name + value))
    .join('');
  const given = Buffer.from(signature);
  const normal = new URL(url).toString();
  return [url, normal, withEscapedQuery(normal)].flatMap(withAndWithoutPort).some((address) => {
    const made = Buffer.from(
      createHmac('sha1', authToken)
        .update(address + suffix)
        .digest('base64'),
    );
    return given.length === made.length && timingSafeEqual(given, made);
  });
}

/** Scheme, user and host; port; the rest. An IPv6 address keeps its colons in brackets. */
const parts = /^((https?):\/\/[^/?#]*?)(:\d*)?(?=[/?#]|$)(.*)$/is;

function withAndWithoutPort(url: string): string[] {
  const [, start = url, scheme = '', port = '', rest = ''] = parts.exec(url) ?? [];
  const usual = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  return [start + rest, start + (port || usual) + rest];
}

/** Escapes as Node's module `querystring` does: `'` as `%27`. */
function withEscapedQuery(url: string): string {
  const at = url.indexOf('?') + 1;
  return at === 0 || at === url.length ? url : url.slice(0, at) + stringify(parse(url.slice(at)));
}
