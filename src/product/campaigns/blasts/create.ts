/** Creates a blast as a draft: its audience and its template. */

import { type FieldFault, InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { nameFault } from '#base/values/name.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { judgeTemplate } from '../template.ts';
import { readAudience } from './audience.ts';
import { type BlastRow, findBlast, insertBlast } from './store.ts';
import { ofBlast } from './trail.ts';

/** As typed. */
export interface BlastInput {
  readonly workshop: string;
  readonly name: string;
  /** A published inbox template that needs no booking. */
  readonly template: string;
  /** JSON; absent: all customers. */
  readonly audience?: string;
  /** It goes to numbers of other countries too; absent: these are left out. */
  readonly otherCountries?: true;
}

/** Throws InvalidInput, which names every bad field, and OperatorError when there is no such workshop. */
export async function createBlast(
  context: ChangeContext,
  input: BlastInput,
  actor: Actor,
): Promise<BlastRow> {
  const { db } = context;
  const { workshopId, timezone } = await requireWorkshop(db, input.workshop);
  const errors: FieldFault[] = [];
  const name = normaliseString(input.name);
  const fault = nameFault(name);
  if (fault !== null) errors.push({ field: 'name', message: fault });
  const judged = await judgeTemplate(db, { workshopId, templateId: input.template, withBooking: false });
  if ('found' in judged) errors.push(...judged.found);
  let audience = {};
  try {
    audience = readAudience(input.audience ?? '{}', timezone);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    errors.push(...error.errors);
  }
  if ('found' in judged || errors.length > 0) throw new InvalidInput(errors);
  const id = newId();
  const otherCountries = input.otherCountries ?? false;
  const after = { name, templateId: judged.template.id, audience, otherCountries };
  await change(context, async ({ tx, now: at }) => {
    await insertBlast(tx, { id, workshopId, ...after }, at);
    await recordEntry(tx, { ...ofBlast({ id, workshopId }, actor, 'created', at), after });
  });
  const blast = await findBlast(db, workshopId, id);
  if (blast === null) throw new Error('a created blast was not found');
  return blast;
}
