/** A blast in its wire form. */
import { formatInstant } from '#base/values/instant.ts';
import type { Blast } from './schema.ts';
import type { BlastRow } from './store.ts';

const at = (date: Date | null) => (date === null ? null : formatInstant(date));

export function wireBlast(row: BlastRow): Blast {
  const { id, name, templateId, audience, status, counts } = row;
  return {
    id,
    name,
    templateId,
    audience,
    status,
    scheduledAt: at(row.scheduledAt),
    startedAt: at(row.startedAt),
    endedAt: at(row.endedAt),
    counts,
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  };
}
