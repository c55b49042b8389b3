/** The redirect after a sign-in: always a path of the console, whatever the parameter has. */

const lengthAtMost = 2_000;

/** The path with its query, as a browser parses it; null for anything that is not below /console. */
export function readNext(text: string | undefined): string | null {
  if (text === undefined || text.length > lengthAtMost) return null;
  // Browsers read a backslash as a slash, and drop unprintable characters.
  if (!/^\/console(?:[/?]|$)/.test(text) || /[\\\p{Cc}\p{Cf}\s]/u.test(text)) return null;
  const ours = 'http://console.invalid';
  if (!URL.canParse(text, ours)) return null;
  const { origin, pathname, search } = new URL(text, ours);
  const isBelow = origin === ours && /^\/console(?:\/|$)/.test(pathname) && !pathname.includes('//');
  const leadsBack = /^\/console\/sign-(?:in|out)(?:\/|$)/.test(pathname);
  return isBelow && !leadsBack ? pathname + search : null;
}

/** The address of the sign-in that leads on to `next`. */
export function signInPath(next: string | null, more: Readonly<Record<string, string>> = {}): string {
  const query = String(new URLSearchParams({ ...(next !== null && { next }), ...more }));
  return `/console/sign-in${query === '' ? '' : `?${query}`}`;
}
