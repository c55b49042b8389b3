/** The demo's people, and the address that signs its owner in. */
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { addPerson } from '#product/people/add.ts';
import type { Role } from '#product/people/permissions.ts';
import { insertSignInAddress } from '#product/people/sessions/address/store.ts';
import { newSessionToken } from '#product/people/sessions/token.ts';
import { listPeople } from '#product/people/store.ts';
import { demoWorkshops } from './data.ts';

const [home, ...others] = demoWorkshops;

/** `person code` prints a code for any of them. */
export const demoStaff: readonly { readonly email: string; readonly name: string; readonly role: Role }[] = [
  { email: 'owner@yarra-street.example', name: 'Olivia Hart', role: 'owner' },
  { email: 'adviser@yarra-street.example', name: 'Adam Reid', role: 'adviser' },
  { email: 'technician@yarra-street.example', name: 'Tess Moran', role: 'technician' },
  { email: 'viewer@yarra-street.example', name: 'Vic Wong', role: 'viewer' },
];

type Needed = { readonly db: Database; readonly clock: Clock };

/** Creates the people of the demo when its first workshop has none; the owner also owns the other workshops. */
export async function ensureDemoStaff({ db, clock }: Needed): Promise<void> {
  const [first] = await listPeople(db, { workshopId: home.id }, { after: null, limit: 1 });
  if (first !== undefined) return;
  const add = (email: string, name: string, workshopId: string, role: Role) =>
    addPerson({ db, clock }, actors.operator, { email, name, place: { workshopId, role } });
  for (const { email, name, role } of demoStaff) {
    await add(email, name, home.id, role);
    if (role === 'owner') for (const { id } of others) await add(email, name, id, role);
  }
}

/** The path that signs the demo's owner in at its first workshop, once, within ten minutes; null when the operator has removed that person. */
export async function demoSignInPath(db: Database): Promise<string | null> {
  const people = await listPeople(db, { workshopId: home.id }, { after: null, limit: 50 });
  const owner = people.find(({ email }) => email === demoStaff[0]?.email);
  if (owner === undefined) return null;
  const token = newSessionToken();
  await insertSignInAddress(db, createHash('sha256').update(token).digest(), owner.personId);
  return `/console/sign-in/demo/${token}?next=/console/w/${home.settings.slug}/today`;
}
