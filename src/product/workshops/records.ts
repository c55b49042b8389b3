/** The workshop of every record: the filter of a partner's lists, and the columns that staff read beside the record. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Filter, Projection } from '#platform/records/record.ts';
import { readGate } from './access/store.ts';

/** Limits a list to one workshop. Throws 404 030001 when the partner is not linked to it; a link that is off hides nothing. */
export const ofWorkshop: Filter = {
  type: 'uuid',
  is: (value) => `row.workshop_id = ${value}`,
  read: (text) => text.toLowerCase(),
  async require(db, partnerId, workshopId) {
    const id = String(workshopId);
    if (!(isId(id) && (await readGate(db, partnerId, id)))) throw new Problem('030001');
  },
};

/** A record for staff: the record, with partner, time zone and country. */
export function staffProjection({ json, joins }: Pick<Projection<unknown>, 'json' | 'joins'>) {
  return {
    json: (
      row: string,
    ) => `${json(row)} || jsonb_build_object('partnerId', ${row}.partner_id, 'partner', its_partner.name,
        'timezone', its_workshop.timezone, 'country', its_workshop.country)`,
    joins: (row: string) => `${joins(row)}
      JOIN workshop its_workshop ON its_workshop.id = ${row}.workshop_id
      LEFT JOIN partner its_partner ON its_partner.id = ${row}.partner_id`,
    links: 'link',
  };
}
