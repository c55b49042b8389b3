/** The demo: a populated world on an empty embedded database, its credentials, and three commands to try. */

import { usualQuietHours } from '#base/values/quiet-hours.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { makeBookingLink } from '#product/booking-page/link/make.ts';
import { insertAutomation } from '#product/campaigns/automations/store.ts';
import { insertBlast } from '#product/campaigns/blasts/store.ts';
import { insertCar } from '#product/customers/cars/store.ts';
import { insertCustomer } from '#product/customers/store.ts';
import { hashSecret } from '#product/partners/secret.ts';
import { findPartner, insertAppKey, insertPartner, partnerExists } from '#product/partners/store.ts';
import { inspectTemplate } from '#product/templates/render.ts';
import { insertTemplate, updateTemplateStatus } from '#product/templates/store.ts';
import { insertWorkshop, upsertLink } from '#product/workshops/store.ts';
import {
  demoCampaignId,
  demoCampaigns,
  demoPartner,
  demoPeople,
  demoServiceId,
  demoTemplateId,
  demoTemplates,
  demoWorkshops,
} from './data.ts';
import { demoSetup } from './setup.ts';

export interface DemoCredentials {
  readonly partnerId: string;
  readonly appKey: string;
  readonly secret: string;
  /** A workshop of the partner, for the examples. */
  readonly workshopId: string;
}

/**
 * Makes the demo when there is no partner at all, in one transaction. Returns its credentials, also when it was made
 * earlier; null when this database has no demo. Call it for an embedded database only.
 */
export async function ensureDemo(ctx: ChangeContext): Promise<DemoCredentials | null> {
  if (await partnerExists(ctx.db)) return demoCredentials(ctx.db);
  const secretHash = await hashSecret(demoPartner.secret);
  await change(ctx, async ({ tx, now: at }) => {
    await insertPartner(tx, { id: demoPartner.id, name: demoPartner.name, isDemo: true, at });
    await insertAppKey(tx, { id: demoPartner.appKey, partnerId: demoPartner.id, secretHash, at });
    for (const [number, workshop] of demoWorkshops.entries()) {
      await insertWorkshop(tx, workshop.id, workshop.settings, at);
      await upsertLink(tx, { partnerId: demoPartner.id, workshopId: workshop.id, active: true }, at);
      const idOf = (position: number) => demoServiceId(number, position);
      await writeSetup(tx, workshop.id, demoSetup(number), at, idOf);
      await insertTemplates(tx, workshop.id, number, at);
      await insertCampaigns(tx, workshop.id, number, at);
    }
    for (const { customer, car } of demoPeople) {
      await insertCustomer(tx, customer, at);
      await insertCar(tx, { ...car, workshopId: customer.workshopId, customerId: customer.id }, at);
    }
  });
  return demoCredentials(ctx.db);
}

async function insertTemplates(tx: Queryable, workshopId: string, number: number, at: Date): Promise<void> {
  for (const { key, name, body, published } of demoTemplates) {
    const id = demoTemplateId(key, number);
    const texts = { purpose: 'inbox', name, subject: null, body, ...inspectTemplate(body) };
    await insertTemplate(tx, { id, workshopId, ...texts }, at);
    if (published) await updateTemplateStatus(tx, id, 'published', at);
  }
}

/** An automation that can be triggered, and the draft of a blast. */
async function insertCampaigns(tx: Queryable, workshopId: string, number: number, at: Date): Promise<void> {
  const of = { workshopId, templateId: demoTemplateId('b', number) };
  const timing = { type: 'manual', offsetMinutes: 0, conditions: {}, quietHours: usualQuietHours } as const;
  const { automation, blast } = demoCampaigns;
  await insertAutomation(tx, { ...of, ...timing, id: demoCampaignId('7', number), name: automation }, at);
  await insertBlast(
    tx,
    { ...of, id: demoCampaignId('8', number), name: blast, audience: {}, otherCountries: false },
    at,
  );
}

/** Null when there is no demo partner, or when the operator suspended it or deleted its key. */
export async function demoCredentials(db: Queryable): Promise<DemoCredentials | null> {
  const partner = await findPartner(db, demoPartner.id);
  const isUsable =
    partner?.isDemo && partner.status === 'active' && partner.appKeys.includes(demoPartner.appKey);
  if (!isUsable) return null;
  const { id: partnerId, appKey, secret } = demoPartner;
  return { partnerId, appKey, secret, workshopId: demoWorkshops[0].id };
}

/** The path of the demo partner's link to the booking page; null when the link or the page was switched off. */
export async function demoBookingPath(
  context: Pick<Context, 'db' | 'clock' | 'sealing'>,
  { partnerId, workshopId }: Pick<DemoCredentials, 'partnerId' | 'workshopId'>,
): Promise<string | null> {
  try {
    return (await makeBookingLink(context, { partnerId, workshopId }, {})).path;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * Three lines for a POSIX shell, to be pasted one after the other: a token, a booking a week from `now`, an SMS.
 * `baseUrl` has no slash at its end.
 */
export function demoExamples(
  baseUrl: string,
  credentials: DemoCredentials,
  now: Date,
): [string, string, string] {
  const { partnerId, appKey, secret, workshopId } = credentials;
  const booking = {
    workshopId,
    carRego: 'ABC123',
    bookingTime: new Date(now.getTime() + 7 * 86_400_000).toISOString().replace(/T.*/, 'T23:00:00Z'),
    customerName: 'Sam Taylor',
    customerPhone: '0491570006',
    customerEmail: 'sam@mail.example',
  };
  const message = { phone: '0491570006', channels: { sms: { message: 'Your car is ready.' } } };
  const post = (path: string, body: object, headers = '') =>
    `curl -s ${baseUrl}${path} -H 'X-Partner-ID: ${partnerId}'${headers} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const signedIn = ' -H "Authorization: Bearer $TOKEN"';
  const tokenOnly = `sed 's/.*"token":"\\([^"]*\\)".*/\\1/'`;
  return [
    `TOKEN=$(${post('/auth/token', { appKey, secret })} | ${tokenOnly}); echo "$TOKEN"`,
    `${post('/bookings', booking, signedIn)}; echo`,
    `${post(`/workshops/${workshopId}/messages`, message, signedIn)}; echo`,
  ];
}
