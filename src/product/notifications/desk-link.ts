/** The link in a notice to a workshop that opens its subject in the console. */
import type { NoticeEvent } from './event.ts';
import type { Subject } from './subject.ts';

export const deskLabel = 'Open it in the console';

/** Null when nobody of the workshop uses the console, or the public address, `base`, is unknown. */
export function deskUrl<Payload extends object>(
  subject: Pick<Subject<Payload>, 'deskPath'>,
  { payload, workshop }: Pick<NoticeEvent<Payload>, 'payload' | 'workshop'>,
  base: string | null,
): string | null {
  return base !== null && workshop.hasConsole ? base + subject.deskPath(payload, workshop.slug) : null;
}
