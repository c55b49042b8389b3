/** The committed mirrors equal what the code makes. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { compileClient } from '../scripts/clients/compiled.ts';
import { dumpClients } from '../scripts/clients/dump.ts';
import { dumpDocument } from '../scripts/dump-document.ts';
import { dumpSchema } from '../scripts/dump-schema.ts';
import { dumpTimeZones } from '../scripts/dump-time-zones.ts';
import { dumpWorkshopSchema } from '../scripts/dump-workshop-schema.ts';
import { withSenders } from '../scripts/senders-page.ts';
import { tablesPicture } from '../scripts/tables-picture.ts';
import { createTestDatabase } from './harness/database.ts';

/** Names the first lines that differ: a difference in full would be pages. */
function same(name: string, made: string, found: string): void {
  if (made === found) return;
  const [madeLines, foundLines] = [made.split('\n'), found.split('\n')];
  const line = madeLines.findIndex((text, index) => text !== foundLines[index]);
  assert.fail(
    `${name} is not what the code makes: run \`npm run mirrors\` and commit the result. Line ${line + 1}:
      in the file: ${foundLines[line] ?? '(its end)'}
      made now:    ${madeLines[line] ?? '(its end)'}`,
  );
}

async function committed(name: string): Promise<string> {
  return readFile(new URL(`../${name}`, import.meta.url), 'utf8').catch(() => '');
}

describe('mirrors', () => {
  test('schema.sql is the database after all migrations, and no amount in it is a binary float (specification: Money 1)', async () => {
    const { db } = await createTestDatabase();
    same('schema.sql', await dumpSchema(db), await committed('schema.sql'));
    assert.doesNotMatch(await committed('schema.sql'), /^ {2}\w+ (?:double precision|real)\b/m);
  });

  test('docs/design/tables.svg is drawn from schema.sql, and no table is left out', async () => {
    const schema = await committed('schema.sql');
    same('docs/design/tables.svg', tablesPicture(schema), await committed('docs/design/tables.svg'));
    const strange = schema.replace('CREATE TABLE booking (', 'CREATE TABLE invoice (\n  id uuid\n);\n\n$&');
    assert.throws(() => tablesPicture(strange), /in no domain: invoice; not in schema\.sql: none/);
    assert.throws(
      () => tablesPicture(schema.replaceAll('CREATE TABLE car (', 'CREATE TABLE cart (')),
      /cart; not in schema\.sql: car/,
    );
  });

  test('openapi.json is the document that the routes make', async () => {
    const { db } = await createTestDatabase();
    const text = await dumpDocument(db);
    assert.equal(await dumpDocument(db), text);
    same('openapi.json', text, await committed('openapi.json'));
  });

  test('what clients/ has is made from openapi.json', async () => {
    const made = Object.entries(dumpClients(await committed('openapi.json')));
    assert.ok(made.length > 0);
    for (const [name, text] of made) same(name, text, await committed(name));
  });

  test('clients/typescript/dist is what the compiler makes of its source', async () => {
    const made = await compileClient();
    for (const [name, text] of Object.entries(made)) same(name, text, await committed(name));
    const found = await readdir(new URL('../clients/typescript/dist/', import.meta.url));
    assert.deepEqual(found.map((name) => `clients/typescript/dist/${name}`).sort(), Object.keys(made).sort());
  });

  test('docs/operations/messages.md has the senders that the code knows', async () => {
    const page = await committed('docs/operations/messages.md');
    same('docs/operations/messages.md', withSenders(page), page);
  });

  test("docs/workshop.schema.json is the form that a workshop's set-up is read in", async () => {
    same('docs/workshop.schema.json', dumpWorkshopSchema(), await committed('docs/workshop.schema.json'));
  });
});

test('docs/time-zones.md is what the API answers round the switches of daylight saving', async () => {
  const { db } = await createTestDatabase();
  same('docs/time-zones.md', await dumpTimeZones(db), await committed('docs/time-zones.md'));
});

describe('the dump of the schema', () => {
  test('shows every part of a table, and the functions', async () => {
    const { db } = await createTestDatabase();
    await db.pool.query(`
      DROP SCHEMA public CASCADE; CREATE SCHEMA public;
      CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 2 * n';
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE UNLOGGED TABLE "order" (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name varchar(20) COLLATE "C" NOT NULL DEFAULT 'x' CHECK (name <> ''),
        gone int,
        double int GENERATED ALWAYS AS (twice(1)) STORED,
        parent bigint REFERENCES "order" ON DELETE CASCADE,
        UNIQUE NULLS NOT DISTINCT (name, parent)
      ) WITH (fillfactor = 90);
      ALTER TABLE "order" DROP COLUMN gone;
      CREATE INDEX lately ON "order" (parent DESC) WHERE name <> 'y';
      CREATE TRIGGER touched BEFORE UPDATE ON "order" FOR EACH ROW EXECUTE FUNCTION touch();
      ALTER TABLE "order" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON "order" FOR SELECT USING (name = current_user);
      COMMENT ON TABLE "order" IS 'It''s one';
      COMMENT ON COLUMN "order".name IS 'shown';`);
    const text = await dumpSchema(db);
    assert.match(text, /FUNCTION public\.touch\(\).*FUNCTION public\.twice\(n integer\).*SELECT 2 \* n/s);
    assert.equal(
      text.slice(text.indexOf('CREATE UNLOGGED')),
      `CREATE UNLOGGED TABLE "order" (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name character varying(20) COLLATE "C" NOT NULL DEFAULT 'x'::character varying,
  double integer GENERATED ALWAYS AS (twice(1)) STORED,
  parent bigint,
  CONSTRAINT order_pkey PRIMARY KEY (id),
  CONSTRAINT order_name_parent_key UNIQUE NULLS NOT DISTINCT (name, parent),
  CONSTRAINT order_parent_fkey FOREIGN KEY (parent) REFERENCES "order"(id) ON DELETE CASCADE,
  CONSTRAINT order_name_check CHECK (((name)::text <> ''::text))
) WITH (fillfactor=90);
ALTER TABLE "order" ENABLE ROW LEVEL SECURITY;
CREATE INDEX lately ON public."order" USING btree (parent DESC) WHERE ((name)::text <> 'y'::text);
CREATE TRIGGER touched BEFORE UPDATE ON public."order" FOR EACH ROW EXECUTE FUNCTION touch();
CREATE POLICY own ON "order" FOR SELECT USING (((name)::text = CURRENT_USER));
COMMENT ON COLUMN "order".name IS 'shown';
COMMENT ON TABLE "order" IS 'It''s one';
`,
    );
  });

  test('refuses objects that it would leave out', async () => {
    const { db } = await createTestDatabase();
    await db.pool.query(
      `CREATE VIEW seen AS SELECT 1; CREATE TYPE mood AS ENUM ('fine'); CREATE SEQUENCE counter`,
    );
    await assert.rejects(dumpSchema(db), {
      message: "scripts/dump-schema.ts can't show counter, mood, seen: teach it first",
    });
  });
});
