/** Somebody at a workshop's console, signed in by rows, and the requests of their browser. */
import { newId } from '#base/values/id.ts';
import type { Database } from '#platform/db/database.ts';
import { hashSessionToken, newSessionToken } from '#product/people/sessions/token.ts';

/** Makes an owner of the workshop, and returns what turns a path below `/console/w/{slug}/` into a request. */
export async function deskOf(
  db: Database,
  { workshopId, slug }: { readonly workshopId: string; readonly slug: string },
): Promise<(path: string) => string> {
  const token = newSessionToken();
  await db.query(
    `WITH someone AS (
       INSERT INTO person (id, email, name, last_workshop_id, created_at, updated_at)
       VALUES ($1, 'desk' || $1::uuid::text || '@bench.example', 'Sam Taylor', $2, now(), now()) RETURNING id),
     works AS (
       INSERT INTO membership (person_id, workshop_id, role, may_text, sees_phones, created_at)
       SELECT id, $2, 'owner', true, true, now() FROM someone)
     INSERT INTO session (id, token_sha256, person_id, signed_in_at, used_at, network, browser)
     SELECT $3, $4, id, clock_timestamp(), clock_timestamp(), '127.0.0.0/24', 'a browser' FROM someone`,
    [newId(), workshopId, newId(), hashSessionToken(token)],
  );
  return (path) =>
    `GET /console/w/${slug}/${path} HTTP/1.1\r\nHost: localhost\r\nCookie: pitlane=${token}\r\nAccept: text/html\r\n\r\n`;
}
