/** Stylesheet and scripts of the console. */
import { baseCss, pageFile } from '#platform/pages/files.ts';

const folder = new URL('../files/', import.meta.url);
const htmxFolder = new URL('.', import.meta.resolve('htmx.org/dist/htmx.min.js'));

export const consoleFiles = {
  css: pageFile(folder, 'console.css', baseCss),
  htmx: pageFile(htmxFolder, 'htmx.min.js'),
  script: pageFile(folder, 'console.mjs'),
  /** Of the day: another time by dragging and by keys. */
  day: pageFile(folder, 'day.mjs'),
  print: pageFile(folder, 'print.mjs'),
  passkeys: pageFile(folder, 'passkeys.mjs'),
};
