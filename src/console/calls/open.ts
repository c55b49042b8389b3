/** Opens a call of the workshop that a visit is at. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type Call, findCall } from './store.ts';

export interface OpenedCall {
  readonly call: Call;
  /** The path of its page. */
  readonly path: string;
}

/** Throws 404, also for a call of another workshop. */
export async function openCall({ context, workshop, params, base }: WorkshopVisit): Promise<OpenedCall> {
  const id = params['id'] ?? '';
  const call = isId(id) ? await findCall(context.db, workshop.workshopId, id) : null;
  if (call === null) throw new Problem('000002');
  return { call, path: `${base}/calls/${call.id}` };
}

/** The data of its page, including later calls of the number. */
export const followedBy = ({ id, leadVersion, version }: Call): Pick<ConsolePage, 'live' | 'version'> => ({
  live: [`call:${id}`, 'call', 'customer', 'clock'],
  version: `${leadVersion} ${version}`,
});
