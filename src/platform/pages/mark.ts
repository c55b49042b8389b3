/** The mark of a workshop without a logo: its first letter on its colour. The address of the picture has all that it is made of. */
import type { FastifyPluginAsync } from 'fastify';
import { Problem } from '#errors.ts';
import { accentOf } from './colour.ts';

/** Used for a name without a letter. */
const noLetter = '•';

export const letterOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? noLetter;

/** `colour` is `#rrggbb`. */
export function markPath(name: string, colour: string): string {
  const code = letterOf(name).codePointAt(0) ?? 0;
  return `/pages/marks/${colour.slice(1).toLowerCase()}-${code.toString(16)}.svg`;
}

const form = /^([0-9a-f]{6})-([0-9a-f]{1,5})\.svg$/;

/** Null: not an address of a mark. */
function pictureAt(file: string): string | null {
  const [, colour = '', code = ''] = form.exec(file) ?? [];
  const letter = code === '' ? '' : String.fromCodePoint(Number.parseInt(code, 16));
  if (!/^[\p{L}\p{N}•]$/u.test(letter)) return null;
  const { fill, onFill } = accentOf(`#${colour}`, 'light');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${fill}"/><text x="16" y="16" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="20" fill="${onFill}">${letter}</text></svg>`;
}

/** GET /pages/marks/{rrggbb}-{code point}.svg. */
export const markRoutes: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { file: string } }>(
    '/pages/marks/:file',
    { config: { needsNoPermit: true } },
    async ({ params: { file } }, reply) => {
      const picture = pictureAt(file);
      if (picture === null) throw new Problem('000002');
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type('image/svg+xml')
        .send(picture);
    },
  );
};
