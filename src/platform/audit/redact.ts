/** What the trail never keeps: secrets, by the names of the fields that hold them, and what an address of the web says beside its place. */

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

/** Without its user, query and fragment, which may hold tokens; a text that is no such address as it is. */
function withoutQuery(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return redacted;
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** A copy as JSON has it, without secrets: their fields say that they were there. */
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
