/**
 * Removes what the trail must not keep: secrets, told by the names of their fields, and all parts of a web address but host and
 * path.
 */

/** Whole words of a name in camelCase: `appSecret` and `secrets` hold one, `secretary` does not. */
const secretWords = new Set([
  ...[
    'secret',
    'secrets',
    'password',
    'passwords',
    'token',
    'tokens',
    'code',
    'codes',
    'pin',
    'seed',
    'hash',
  ],
  ...[
    'credential',
    'credentials',
    'authorization',
    'cookie',
    'passphrase',
    'signature',
    'apikey',
    'privatekey',
  ],
]);
const wordsOf = (name: string) =>
  name.split(/(?<=[a-z\d])(?=[A-Z])|[\s._-]+/).map((word) => word.toLowerCase());

const isSecret = (name: string) => {
  const words = wordsOf(name);
  return words.some((word, n) => secretWords.has(word) || secretWords.has(`${words[n - 1]}${word}`));
};

export const redacted = '[redacted]';

/** A web address without user, query and fragment, which may hold tokens; other texts are not changed. */
function withoutQuery(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return redacted;
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** A JSON copy in which fields with secrets hold a mark. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return withoutQuery(value);
  if (Array.isArray(value)) return value.map(redact);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name) && inner !== null && inner !== undefined ? redacted : redact(inner),
    ]),
  );
}
