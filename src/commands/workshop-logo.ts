/** `pitlane workshop logo`: the picture on the pages of a workshop. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

export function registerLogo(workshop: Command): void {
  const spec = {
    usage: 'logo <workshop> [file]',
    summary: 'show a logo on the pages of a workshop: a PNG, JPEG or WebP picture of at most 512 KB',
    examples: ['workshop logo harbour-motors logo.png', 'workshop logo harbour-motors --remove'],
  };
  verb<{ remove?: true }>(workshop, spec, async ([workshopId = '', file], { remove }) => {
    if ((file === undefined) !== (remove === true)) throw new UsageError('name either a file or --remove');
    const bytes = file === undefined ? null : await contentOf(file);
    return withSession(async ({ db, clock }) => {
      const { setLogo } = await import('#product/workshops/logo/set.ts');
      const done = await setLogo({ db, clock }, workshopId, bytes, actors.operator);
      return { json: done, text: textOf(done) };
    });
  }).option('--remove', 'show none any more');
}

function textOf({
  workshopId,
  logo,
}: {
  readonly workshopId: string;
  readonly logo: { kind: string; width: number; height: number; bytes: number } | null;
}): string {
  if (logo === null) return `workshop ${workshopId} has no logo any more`;
  const { kind, width, height, bytes } = logo;
  return `workshop ${workshopId} has a logo: ${kind}, ${width} × ${height} pixels, ${Math.ceil(bytes / 1_024)} KB`;
}

/** Reads at most one byte more than the limit, which shows that the file is too large. */
async function contentOf(file: string): Promise<Buffer> {
  const { createReadStream } = await import('node:fs');
  const { buffer } = await import('node:stream/consumers');
  const { logoAtMostBytes } = await import('#product/workshops/logo/logo.ts');
  try {
    return await buffer(createReadStream(file, { end: logoAtMostBytes }));
  } catch (error) {
    const { OperatorError } = await import('#base/operator-error.ts');
    throw new OperatorError(`can't read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
