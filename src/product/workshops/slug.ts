/** Slugs: a workshop's name in addresses. */
import { ownValue } from '#base/values/own-value.ts';

const lengthAtMost = 63;
const form = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Letters that do not decompose into a plain letter and an accent. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

export function isSlug(text: string): boolean {
  return form.test(text);
}

/** The name in lower-case ASCII, words joined by hyphens; `workshop` when nothing is left of it. */
export function slugOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðłþ]/g, (letter) => ownValue(plain, letter) ?? '')
    .replace(/\p{M}|['’]/gu, '');
  const slug = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '');
  return slug.slice(0, lengthAtMost).replace(/-+$/, '') || 'workshop';
}

/** The slug, or the first of `slug-2`, `slug-3`… that is unused. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let candidate = slug;
  for (let number = 2; taken.has(candidate); number++) {
    const suffix = `-${number}`;
    candidate = slug.slice(0, lengthAtMost - suffix.length) + suffix;
  }
  return candidate;
}
