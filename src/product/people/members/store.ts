/** SQL of a workshop's people. */
import type { Actor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import type { Role, Switches } from '../permissions.ts';

/** A member of a workshop as its owners see them, without their other places. */
export interface Member extends Switches {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly version: number;
}

const memberColumns = `its.person_id, person.email, person.name, its.role, its.may_text, its.sees_phones, its.version`;

/** In order of creation: up to `limit` after the id `after`. */
export async function listMembers(
  db: Queryable,
  workshopId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Member[]> {
  return db.query<Member>(
    `SELECT ${memberColumns} FROM membership its JOIN person ON person.id = its.person_id
      WHERE its.workshop_id = $1 AND ${afterId('its.person_id', '$2')} ORDER BY its.person_id LIMIT $3`,
    [workshopId, after, limit],
  );
}

export async function findMember(
  db: Queryable,
  workshopId: string,
  personId: string,
): Promise<Member | null> {
  const [row] = await db.query<Member>(
    `SELECT ${memberColumns} FROM membership its JOIN person ON person.id = its.person_id
      WHERE its.workshop_id = $1 AND its.person_id = $2`,
    [workshopId, personId],
  );
  return row ?? null;
}

/** Reads the membership of the person who makes a change; null: it is no person, but the operator. */
export async function standingOf(tx: Queryable, actor: Actor, workshopId: string): Promise<Member | null> {
  return actor.kind === 'person' ? findMember(tx, workshopId, actor.personId) : null;
}

/** The ids of a workshop's owners. Locks their memberships until the transaction ends, so that none is removed meanwhile. */
export async function lockOwners(tx: Queryable, workshopId: string): Promise<string[]> {
  const rows = await tx.query<{ personId: string }>(
    `SELECT person_id FROM membership WHERE workshop_id = $1 AND role = 'owner' ORDER BY person_id FOR NO KEY UPDATE`,
    [workshopId],
  );
  return rows.map(({ personId }) => personId);
}

/**
 * The workshops of which this person is the only owner, by slug. Locks all owners of these workshops until the transaction ends.
 */
export async function lockOnlyOwned(tx: Queryable, personId: string): Promise<string[]> {
  await tx.query(
    `SELECT FROM membership
      WHERE role = 'owner' AND workshop_id IN (SELECT workshop_id FROM membership WHERE person_id = $1 AND role = 'owner')
      ORDER BY workshop_id, person_id FOR NO KEY UPDATE`,
    [personId],
  );
  const rows = await tx.query<{ slug: string }>(
    `SELECT workshop.slug FROM membership its JOIN workshop ON workshop.id = its.workshop_id
      WHERE its.person_id = $1 AND its.role = 'owner'
        AND NOT EXISTS (SELECT FROM membership other
                         WHERE other.workshop_id = its.workshop_id AND other.role = 'owner' AND other.person_id <> $1)
      ORDER BY workshop.slug`,
    [personId],
  );
  return rows.map(({ slug }) => slug);
}

export interface NewMember extends Switches {
  readonly workshopId: string;
  readonly personId: string;
  readonly role: Role;
}

/** Creates or changes the membership. */
export async function putMember(tx: Queryable, member: NewMember, at: Date): Promise<void> {
  const { workshopId, personId, role, mayText, seesPhones } = member;
  await tx.query(
    `INSERT INTO membership (person_id, workshop_id, role, may_text, sees_phones, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (person_id, workshop_id) DO UPDATE
       SET role = excluded.role, may_text = excluded.may_text, sees_phones = excluded.sees_phones, version = membership.version + 1`,
    [personId, workshopId, role, mayText, seesPhones, at],
  );
}

export async function deleteMember(tx: Queryable, workshopId: string, personId: string): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM membership WHERE person_id = $1 AND workshop_id = $2 RETURNING true',
    [personId, workshopId],
  );
  return rows.length > 0;
}
