/** The operations of workshops that a partner is linked to (specification: Partners and workshops 9). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems, pageQuery } from '#platform/http/paging.ts';
import { listWorkshopsExamples } from './examples.ts';

const Workshop = Type.Object(
  {
    id: out.uuid('The `workshopId` of every later call.'),
    name: out.string('As customers know it.'),
    slug: out.string('Its name in the address of its booking page.'),
    country: out.string({ description: 'ISO 3166 alpha-2.', examples: ['AU'] }),
    timezone: out.string({
      description: 'Where its clocks are: an IANA name.',
      examples: ['Australia/Melbourne'],
    }),
    phone: out.string('E.164.'),
    partnerIntegrationEnabled: out.boolean({
      description: 'False: everything that writes or sends is refused with 000004.',
    }),
    inboxMessagingEnabled: out.boolean('Whether you may text its customers.'),
    enforceAvailability: out.boolean('Whether bookings must fit the offered slots.'),
  },
  { $id: 'Workshop', description: 'A workshop that you are linked to.' },
);

export const workshopComponents = [Workshop];

export const listWorkshops = operation({
  id: 'listWorkshops',
  method: 'GET',
  path: '/workshops',
  tag: 'Workshops',
  access: 'partner',
  summary: 'List your workshops',
  description: 'Every workshop that you are linked to, also where the link is switched off.',
  query: Type.Object(pageQuery),
  success: { status: 200, schema: pageOfItems('workshops', ref(Workshop), 'A page of workshops.') },
  refusals: {},
  examples: listWorkshopsExamples,
});
