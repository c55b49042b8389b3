/** Creates an automation. It applies to events from then on. */

import { type FieldFault, InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { nameFault } from '#base/values/name.ts';
import { type QuietHours, usualQuietHours } from '#base/values/quiet-hours.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { clockTimePattern } from '#platform/http/fields.ts';
import { valueReader } from '#platform/http/validation.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { judgeTemplate } from '../template.ts';
import { Conditions, type TriggerType, triggerTypes } from './schema.ts';
import { type AutomationRow, findAutomation, insertAutomation } from './store.ts';

/** As typed. */
export interface AutomationInput {
  readonly workshop: string;
  readonly name: string;
  readonly trigger: string;
  readonly offsetMinutes?: string;
  readonly template: string;
  /** `20:00-08:00`, or `off`; absent: the default quiet hours. */
  readonly quietHours?: string;
  readonly serviceCategory?: readonly string[];
  readonly minDaysSinceLastBooking?: string;
}

const readConditions = valueReader(Conditions, 'conditions');

/** A year and a day. */
const offsetAtMost = 366 * 24 * 60;
/** Triggers whose texts need no booking. */
const withoutBooking: readonly string[] = ['callMissed', 'reminderSent'];

/** Throws InvalidInput, which names every bad field, and OperatorError when there is no such workshop. */
export async function createAutomation(
  context: ChangeContext,
  input: AutomationInput,
  actor: Actor,
): Promise<AutomationRow> {
  const { db } = context;
  const { workshopId } = await requireWorkshop(db, input.workshop);
  const errors: FieldFault[] = [];
  const refuse = (field: string, message: string | null) =>
    message !== null && errors.push({ field, message });
  const name = normaliseString(input.name);
  refuse('name', nameFault(name));
  const type = triggerTypes.find((known) => known === input.trigger);
  if (type === undefined) refuse('trigger', `must be one of ${triggerTypes.join(', ')}`);
  const offset = input.offsetMinutes ?? '0';
  if (!/^\d{1,6}$/.test(offset) || Number(offset) > offsetAtMost)
    refuse('offsetMinutes', `must be a whole number from 0 to ${offsetAtMost}`);
  const quietHours = readQuietHours(input.quietHours);
  if (quietHours === 'fault')
    refuse('quietHours', 'must be two different local times such as 20:00-08:00, or off');
  const conditions = conditionsOf(input);
  const { errors: faults } = readConditions(conditions);
  errors.push(...faults);
  const withBooking = !withoutBooking.includes(input.trigger);
  const judged = await judgeTemplate(db, { workshopId, templateId: input.template, withBooking });
  if ('found' in judged) errors.push(...judged.found);
  if ('found' in judged || errors.length > 0) throw new InvalidInput(errors);

  const id = newId();
  const timing = {
    type: type as TriggerType,
    offsetMinutes: Number(offset),
    quietHours: quietHours as QuietHours | null,
  };
  const made = { id, workshopId, name, ...timing, conditions, templateId: judged.template.id };
  await change(context, async ({ tx, now: at }) => {
    await insertAutomation(tx, made, at);
    const { id: _, workshopId: __, ...after } = made;
    const entry = {
      workshopId,
      subject: { kind: 'automation', id },
      action: 'automation.created',
      after,
      at,
    };
    await recordEntry(tx, { actor, ...entry });
  });
  const automation = await findAutomation(db, workshopId, id);
  if (automation === null) throw new Error('a created automation was not found');
  return automation;
}

function readQuietHours(text: string | undefined): QuietHours | null | 'fault' {
  if (text === undefined) return usualQuietHours;
  if (text === 'off') return null;
  const [from = '', to = '', ...more] = text.split('-');
  const isTime = (time: string) => new RegExp(clockTimePattern).test(time);
  return more.length === 0 && from !== to && isTime(from) && isTime(to) ? { from, to } : 'fault';
}

function conditionsOf({ serviceCategory, minDaysSinceLastBooking: days }: AutomationInput): Conditions {
  return {
    ...(serviceCategory === undefined ? {} : { serviceCategories: [...serviceCategory] }),
    ...(days === undefined
      ? {}
      : { minDaysSinceLastBooking: /^\d+$/.test(days) ? Number(days) : Number.NaN }),
  };
}
