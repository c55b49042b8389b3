/** The name of a browser for the list of sessions. */

/** The first match counts: most browsers also name the browsers they are derived from. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];
const readAtMost = 500;

/** `Firefox 144 on Windows`, from the header User-Agent; `Another browser` for an unknown one. */
export function browserOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, readAtMost);
  const system = systems.find(([, mark]) => mark.test(text))?.[0];
  for (const [name, mark] of browsers) {
    const version = mark.exec(text)?.[1]?.slice(0, 4);
    if (version !== undefined) return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`;
  }
  return system === undefined ? 'Another browser' : `Another browser on ${system}`;
}
