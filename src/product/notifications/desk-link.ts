/** The link by which a notice to a workshop leads its people to what it tells of, in their console. */
import type { NoticeEvent } from './event.ts';
import type { Subject } from './subject.ts';

export const deskLabel = 'Open it in the console';

/** Null where nobody of the workshop signs in there, and where the public address, `base`, is not known. */
export function deskUrl<Payload extends object>(
  subject: Pick<Subject<Payload>, 'deskPath'>,
  { payload, workshop }: Pick<NoticeEvent<Payload>, 'payload' | 'workshop'>,
  base: string | null,
): string | null {
  return base !== null && workshop.hasConsole ? base + subject.deskPath(payload, workshop.slug) : null;
}
