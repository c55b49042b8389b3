/** SQL of people and their memberships. */
import { foundById, notFound } from '#base/operator-error.ts';
import { cleanEmail } from '#base/values/email.ts';
import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { dropLetters } from './emails/store.ts';
import type { Role, Switches } from './permissions.ts';

export interface NewPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly at: Date;
}

/** A person with all memberships. */
export interface Person {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  /** By name. */
  readonly workshops: readonly (Switches & {
    readonly workshopId: string;
    readonly slug: string;
    readonly name: string;
    readonly role: Role;
  })[];
  /** Ids of partners. */
  readonly partners: readonly string[];
  readonly createdAt: Date;
}

const personColumns = `
  person.id AS person_id, person.email, person.name, person.is_operator AS operator,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name, 'role', its.role,
          'mayText', its.may_text, 'seesPhones', its.sees_phones)
          FROM membership its JOIN workshop ON workshop.id = its.workshop_id
         WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id) AS workshops,
  ARRAY(SELECT its.partner_id FROM developer its WHERE its.person_id = person.id ORDER BY its.partner_id) AS partners,
  person.created_at`;

/** False when another person has the e-mail address. */
export async function insertPerson(tx: Queryable, { id, email, name, at }: NewPerson): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO person (id, email, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (lower(email)) DO NOTHING RETURNING true`,
    [id, email, name, at],
  );
  return rows.length > 0;
}

/** The person with this e-mail address, compared without case; locked until the transaction ends. */
export async function lockPersonByEmail(tx: Queryable, email: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    'SELECT id FROM person WHERE lower(email) = lower($1) FOR NO KEY UPDATE',
    [email],
  );
  return row?.id ?? null;
}

/** The person with this e-mail address, compared without case. */
export async function findIdByEmail(db: Queryable, email: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>('SELECT id FROM person WHERE lower(email) = lower($1)', [
    email,
  ]);
  return row?.id ?? null;
}

/** Locks the person until the transaction ends; false when there is no such person. */
export async function lockPerson(tx: Queryable, personId: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE', [personId]);
  return rows.length > 0;
}

export async function findPerson(db: Queryable, personId: string): Promise<Person | null> {
  const [row] = await db.query<Person>(`SELECT ${personColumns} FROM person WHERE person.id = $1`, [
    personId,
  ]);
  return row ?? null;
}

async function findPersonByEmail(db: Queryable, email: string): Promise<Person | null> {
  const [row] = await db.query<Person>(
    `SELECT ${personColumns} FROM person WHERE lower(person.email) = lower($1)`,
    [email],
  );
  return row ?? null;
}

/** Finds by a typed e-mail address or id. Throws OperatorError when there is no such person. */
export async function requirePerson(db: Queryable, emailOrId: string): Promise<Person> {
  if (isId(emailOrId)) return foundById('person', emailOrId, () => findPerson(db, emailOrId));
  const person = await findPersonByEmail(db, cleanEmail(emailOrId));
  if (person === null) throw notFound('person', emailOrId);
  return person;
}

/** Filters people by their place; without a filter: everybody. */
export interface WhosePeople {
  readonly workshopId?: string | undefined;
  readonly partnerId?: string | undefined;
}

/** Oldest first: up to `limit` after the id `after`. */
export async function listPeople(
  db: Queryable,
  { workshopId, partnerId }: WhosePeople,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Person[]> {
  const [whose, id] =
    workshopId !== undefined
      ? ['JOIN membership of ON of.person_id = person.id AND of.workshop_id = $3', [workshopId]]
      : partnerId !== undefined
        ? ['JOIN developer of ON of.person_id = person.id AND of.partner_id = $3', [partnerId]]
        : ['', []];
  return db.query<Person>(
    `SELECT ${personColumns} FROM person ${whose} WHERE ${afterId('person.id', '$1')} ORDER BY person.id LIMIT $2`,
    [after, limit, ...id],
  );
}

/** Deletes the person with everything that is only theirs. */
export async function deletePerson(tx: Queryable, personId: string): Promise<void> {
  await tx.query(
    `WITH codes AS (DELETE FROM sign_in_code USING person WHERE person.id = $1 AND sign_in_code.email = lower(person.email)),
          emails AS (DELETE FROM account_email USING person WHERE person.id = $1 AND account_email.email = lower(person.email)
                     RETURNING account_email.id),
          letters AS (${dropLetters('emails')})
     DELETE FROM person WHERE id = $1`,
    [personId],
  );
}

export interface Preferences {
  readonly name: string;
  readonly undoSeconds: 10 | 60;
  readonly singleKeys: boolean;
}

/** Locks the person until the transaction ends, and returns their version; null: there is no such person. */
export async function lockVersion(tx: Queryable, personId: string): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    'SELECT version FROM person WHERE id = $1 FOR NO KEY UPDATE',
    [personId],
  );
  return row?.version ?? null;
}

export async function updatePreferences(
  tx: Queryable,
  personId: string,
  { name, undoSeconds, singleKeys }: Preferences,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE person SET name = $2, undo_seconds = $3, single_keys = $4, version = version + 1, updated_at = $5 WHERE id = $1`,
    [personId, name, undoSeconds, singleKeys, at],
  );
}

export async function setOperator(tx: Queryable, personId: string, isOperator: boolean): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE person SET is_operator = $2 WHERE id = $1 AND is_operator <> $2 RETURNING true',
    [personId, isOperator],
  );
  return rows.length > 0;
}

/** False when the person is one already. */
export async function insertDeveloper(
  tx: Queryable,
  of: { readonly personId: string; readonly partnerId: string },
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    'INSERT INTO developer (person_id, partner_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING true',
    [of.personId, of.partnerId, at],
  );
  return rows.length > 0;
}

export async function deleteDeveloper(tx: Queryable, personId: string, partnerId: string): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM developer WHERE person_id = $1 AND partner_id = $2 RETURNING true',
    [personId, partnerId],
  );
  return rows.length > 0;
}
