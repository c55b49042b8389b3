/** Automations and runs in their wire form. */
import { formatInstant } from '#base/values/instant.ts';
import type { RunRow } from './runs/store.ts';
import type { Automation, AutomationRun } from './schema.ts';
import type { AutomationRow } from './store.ts';

export function wireAutomation(row: AutomationRow): Automation {
  const { id, name, type, offsetMinutes, conditions, templateId, quietHours, status } = row;
  return {
    id,
    name,
    trigger: { type, offsetMinutes },
    conditions,
    templateId,
    quietHours,
    status,
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  };
}

export function wireRun({ dueAt, sentAt, ...run }: RunRow): AutomationRun {
  return { ...run, dueAt: formatInstant(dueAt), sentAt: sentAt === null ? null : formatInstant(sentAt) };
}
