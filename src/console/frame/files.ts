/** Stylesheet and scripts of the console. */
import { baseCss, type PageFile, pageFile, pageScripts } from '#platform/pages/files.ts';

const folder = new URL('../files/', import.meta.url);

/** `console.mjs`, what it imports, and the worker that pages share; then what some pages have beside them. */
const names = [
  ...['console.mjs', 'keys.mjs', 'find.mjs', 'undo.mjs', 'said.mjs', 'follow.mjs', 'changed.mjs'],
  ...['fetched.mjs', 'in-use.mjs', 'morph.mjs', 'names.mjs', 'typed.mjs', 'waiting.mjs'],
  ...['source.mjs', 'stream.mjs', 'worker.mjs'],
  // The files of some pages alone.
  ...[
    'day.mjs',
    'lanes.mjs',
    'ghost.mjs',
    'print.mjs',
    'passkeys.mjs',
    'lines.mjs',
    'known.mjs',
    'presence.mjs',
    'news-switch.mjs',
  ],
  ...['count.mjs', 'segments.mjs'],
  // Fetched when they are first needed.
  ...['help.mjs', 'news.mjs'],
];

const scripts = pageScripts([
  new URL(import.meta.resolve('htmx.org/dist/htmx.esm.min.js')),
  ...names.map((name) => new URL(name, folder)),
]);

export const consoleCss = pageFile(folder, 'console.css', baseCss);

export const consoleFiles: Readonly<Record<string, PageFile>> = { ...scripts, consoleCss };

/** The address of a script, by its name. Throws for one that is not listed above. */
export function scriptPath(name: string): string {
  const script = scripts[name];
  if (script === undefined) throw new Error(`${name} is no script of the console`);
  return script.path;
}

/** The scripts of every page; they import the others. */
export const usualScripts = ['htmx.esm.min.js', 'console.mjs'].map(scriptPath);
