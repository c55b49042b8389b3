/** Style sheets and scripts of the reference, the guide and the index. */
import { pageFile, siteCss } from '#platform/pages/files.ts';

const folder = new URL('./files/', import.meta.url);

export const files = {
  reference: pageFile(folder, 'reference.css'),
  guide: pageFile(folder, 'guide.css', siteCss),
  copy: pageFile(folder, 'copy.mjs'),
  nonces: pageFile(folder, 'nonces.mjs'),
  script: pageFile(folder, 'reference.mjs'),
};
