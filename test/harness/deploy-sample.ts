/** The samples of `deploy/`, with a machine's own places in them. */
import { readFileSync } from 'node:fs';

/** The text with each of these in place of what it stands for; fails when the sample has lost one. */
export function sampleWith(name: string, places: readonly (readonly [string, string])[]): string {
  let text = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
  for (const [sample, own] of places) {
    if (!text.includes(sample)) throw new Error(`deploy/${name} has no ${sample}`);
    text = text.replaceAll(sample, own);
  }
  return text;
}
