/** Sets or removes a workshop's logo. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { lockWorkshop, requireWorkshop } from '../store.ts';
import { BadPicture } from './kinds/kind.ts';
import { type LogoKind, logoPath, readLogo } from './logo.ts';
import { replaceLogo } from './store.ts';

export interface LogoSet {
  readonly workshopId: string;
  /** Null: removed. */
  readonly logo: {
    readonly kind: LogoKind;
    /** In pixels. */
    readonly width: number;
    readonly height: number;
    /** The size of the kept content. */
    readonly bytes: number;
    /** The path below the service's address. */
    readonly path: string;
  } | null;
}

/**
 * `bytes` is the content of the file; null removes the logo. Throws OperatorError for an unacceptable picture, and when there is no
 * such workshop.
 */
export async function setLogo(
  context: ChangeContext,
  idOrSlug: string,
  bytes: Buffer | null,
  actor: Actor,
): Promise<LogoSet> {
  const { workshopId } = await requireWorkshop(context.db, idOrSlug);
  const logo = bytes === null ? null : logoOf(bytes);
  await change(context, async ({ tx, now: at }) => {
    await lockWorkshop(tx, workshopId);
    await replaceLogo(tx, workshopId, logo, at);
    const subject = { kind: 'workshop', id: workshopId };
    const after = { logo: logo && `${logo.kind}, ${logo.width} × ${logo.height}` };
    await recordEntry(tx, { actor, workshopId, subject, action: 'workshop.logoSet', after, at });
  });
  if (logo === null) return { workshopId, logo };
  const { kind, width, height, content } = logo;
  return { workshopId, logo: { kind, width, height, bytes: content.length, path: logoPath(logo) } };
}

function logoOf(bytes: Buffer) {
  try {
    return readLogo(bytes);
  } catch (error) {
    if (!(error instanceof BadPicture)) throw error;
    throw new OperatorError(`the logo ${error.message}`);
  }
}
