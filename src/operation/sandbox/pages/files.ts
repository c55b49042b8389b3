/** The stylesheet and the script of the sandbox's pages. */
import { pageFile, siteCss } from '#platform/pages/files.ts';

const folder = new URL('./files/', import.meta.url);

export const files = {
  css: pageFile(folder, 'sandbox.css', siteCss),
  script: pageFile(folder, 'sandbox.mjs'),
};
