/** Find with many inputs (specification: Find 1, 2 and 6), and the rows that it reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidInput } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { bookingWorld } from '../../../../test/fixtures/booking-api.ts';
import { assertLittleRead } from '../../../../test/fixtures/explained.ts';
import { sweepWhole } from '../../../../test/fixtures/search.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { readAsked } from './asked.ts';
import { countTerms } from './counted/store.ts';
import { findAsTyped } from './find.ts';
import { findStatement } from './found/store.ts';
import { beginningsOfSeveral, rareAtMost, rarestFirst } from './rarest.ts';

const { app, partner, workshopId } = await bookingWorld();
const { db, clock } = app.context;

const find = async (q: string, of: { workshopId?: string } = {}) =>
  (await findAsTyped(db, { workshopId, q, limit: 20, seesPhones: true, now: clock.now(), ...of })).customers;

test('typed texts fail only by the limits, which are named', async () => {
  const typed = fc.array(
    fc.oneof(anyCharacter, fc.constantFrom(' ', '%', '\\', '0', '@', '\0', '\ud800', 'ß', 'İ')),
    {
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(typed, async (characters) => {
      await find(characters.join('')).catch((error: unknown) =>
        assert.ok(error instanceof InvalidInput, String(error)),
      );
    }),
    { numRuns: 150 },
  );
  for (const q of ['x'.repeat(101), 'a b c d e f g']) await assert.rejects(find(q), InvalidInput);
});

test('a plan that was made while the table was empty reads it by the index of parts', async () => {
  await db.pool.query('TRUNCATE search_term');
  for (const counted of ['', 'ANALYZE search_term', 'VACUUM search_term']) {
    await db.pool.query(counted);
    await assertLittleRead(
      db,
      findStatement({ workshopId, probes: readAsked('mith', true), limit: 20, since: clock.now() }),
      { table: 'search_term', index: 'search_term_parts', rowsAtMost: 60 },
    );
  }
});

test('it finds the same customers as a simple model', async () => {
  const here = await linkedWorkshop(app, [partner]);
  const people = Array.from({ length: 12 }, (_, n) => ({
    id: crypto.randomUUID(),
    name: ['Ada Lo', 'Adam Lovell', 'Bo Adams', 'Lova Bo', 'Élodie Bobo', 'Al Dal'][n % 6] ?? '',
    rego: ['ADA1', 'LO12AB', '12ABC', 'B0B', 'AB12', 'X5'][(n * 5 + (n > 5 ? 1 : 0)) % 6] ?? '',
    phone: `+614915700${String(10 + n * 7)}`,
  }));
  await db.pool.query(
    `WITH made AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT id, $2, name, phone, now(), now() FROM jsonb_to_recordset($1) AS p (id uuid, name text, phone text))
     INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
     SELECT gen_random_uuid(), $2, id, rego, now(), now() FROM jsonb_to_recordset($1) AS p (id uuid, rego text)`,
    [JSON.stringify(people), here],
  );
  await sweepWhole(app.context);

  let byPart = true;
  const within = (word: string, texts: readonly string[]) =>
    texts.some((text) => text.startsWith(word) || (byPart && word.length >= 3 && text.includes(word)));
  const isFound = ({ name, rego, phone }: (typeof people)[number], word: string) => {
    const low = rego.toLowerCase();
    const pieces = low.match(/[a-z]+|[0-9]+/g) ?? [];
    const digits = phone.slice(1);
    return (
      within(word, name.toLowerCase().replace('é', 'e').split(' ')) ||
      within(
        word,
        pieces.map((_, from) => pieces.slice(from).join('')),
      ) ||
      (/^[0-9]+$/.test(word) &&
        ([digits, `0${digits.slice(2)}`].some((form) => form.startsWith(word)) ||
          (word.length >= 3 && digits.endsWith(word))))
    );
  };
  const piece = fc.constantFrom(
    ...['a', 'ad', 'ada', 'dam', 'lo', 'ov', 'bo', 'bob', 'elo', 'al', 'x5', 'b0b'],
  );
  const typed = fc.array(
    fc.oneof(piece, fc.constantFrom('12', '5', '049', '614', '017', '2ab', '12abc', 'lo12ab')),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  await fc.assert(
    fc.asyncProperty(typed, async (words) => {
      // Consecutive numbers are joined, or not.
      const numbers = words
        .join(' ')
        .replace(/(?<=\b[0-9]+) (?=[0-9]+\b)/g, '')
        .split(' ');
      const joined = (each: (typeof people)[number]) =>
        words.length > 1 && isFound({ ...each, name: '' }, words.join(''));
      const named = (each: (typeof people)[number]) =>
        [words, numbers].some((read) => read.every((word) => isFound(each, word)));
      const among = (parts: boolean) => {
        byPart = parts;
        return people.filter((each) => named(each) || joined(each));
      };
      // With several words, substrings are searched only when prefixes find nobody.
      const begun = words.length > 1 ? among(false) : [];
      const expected = begun.length > 0 ? begun : among(true);
      const found = await find(words.join(' '), { workshopId: here });
      assert.deepEqual(found.map(({ customerId }) => customerId).sort(), expected.map(({ id }) => id).sort());
    }),
    { numRuns: 150 },
  );
});

test('it reads only matching rows, through the indexes of the terms, whatever else is stored', async () => {
  const here = await linkedWorkshop(app, [partner]);
  const other = await linkedWorkshop(app, [partner]);
  await db.pool.query(
    `INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
     SELECT gen_random_uuid(), w, 'Crowd Smith ' || n, '+614' || (20000000 + n), now(), now()
       FROM unnest($1::uuid[]) AS w, generate_series(1, 1500) n`,
    [[here, other]],
  );
  await sweepWhole(app.context);
  await db.pool.query('ANALYZE');
  const asked = (q: string) =>
    findStatement({ workshopId: here, probes: readAsked(q, true), limit: 20, since: clock.now() });
  const whole = { table: 'search_term', index: 'search_term_pkey', rowsAtMost: 60 };
  await assertLittleRead(db, asked('crowd123'), { ...whole });
  await assertLittleRead(db, asked('0420000123'), { ...whole });
  // A name that all customers share: up to the limit of terms are read, and few customers.
  await assertLittleRead(db, asked('smith'), {
    table: 'search_customer',
    index: 'search_customer_recent',
    rowsAtMost: 1_600,
  });
  // With a rare word beside it, few terms are read: all words of the customers with the rare one.
  const probes = readAsked('smith 0420000123 crowd', true);
  const several = { workshopId: here, probes: beginningsOfSeveral(probes) };
  const rarest = rarestFirst(probes, await countTerms(db, several, rareAtMost));
  assert.ok(rarest !== null);
  await assertLittleRead(
    db,
    findStatement({ workshopId: here, probes: rarest, limit: 20, since: clock.now() }),
    { table: 'search_term', index: 'search_term_customer', rowsAtMost: 60 },
  );
  await assertLittleRead(db, asked('0077'), {
    table: 'search_term',
    index: 'search_term_parts',
    rowsAtMost: 60,
  });
});

test('however it is typed at most 20,000 rows of terms are read, and what was not read is said (specification: Find 10)', async () => {
  const here = await linkedWorkshop(app, [partner]);
  // As the sweep would write them: 4,000 customers of 10 terms, of which five begin alike.
  await db.pool.query(
    `WITH made AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Imp ' || n, '+614' || (30000000 + n), now(), now() FROM generate_series(1, 4000) n
       RETURNING id, name),
     searched AS (
       INSERT INTO search_customer (customer_id, workshop_id, recent_at, mark) SELECT id, $1, now(), 0 FROM made)
     INSERT INTO search_term (workshop_id, kind, term, customer_id)
     SELECT $1, 'name', each, id FROM made CROSS JOIN unnest(ARRAY['imp', 'impa', 'impb', 'impc', 'impd', '0x', '1x', '2x', '3x',
       'only' || substr(name, 5)]) AS each`,
    [here],
  );
  const sought = (q: string) => ({ workshopId: here, q, limit: 20, seesPhones: true, now: clock.now() });
  const found = (q: string) =>
    db.transaction(async (tx) => {
      const before = await termsRead(tx);
      const { customers, isWhole } = await findAsTyped(tx, sought(q));
      const read = (await termsRead(tx)) - before;
      return { names: customers.map(({ name }) => name), isWhole, read };
    });
  const tooMuch = [
    'imp',
    'imp 0 1 2 3',
    'imp 0 1 2 3 4',
    '0 1 2 3',
    'imp 0',
    'i m',
    'impa impb impc impd imp',
  ];
  // By a plan that knows nothing of the rows, and by one that knows how many begin alike.
  for (const counted of ['', 'ANALYZE search_term']) {
    await db.pool.query(counted);
    for (const q of tooMuch) {
      const { isWhole, read } = await found(q);
      assert.equal(isWhole, false, q);
      assert.ok(read > 15_000 && read <= 20_000, `${q}: ${read} ${counted}`);
    }
  }
  assert.equal((await found('imp')).names.length, 20, 'what was found is given');
  for (const q of ['only77', 'imp only77', 'impa', 'mpa mpb']) {
    const { isWhole, read } = await found(q);
    assert.equal(isWhole, true, q);
    assert.ok(read < 10_000, `${q}: ${read}`);
  }
  assert.ok((await found('imp only77')).names.includes('Imp 77'));
});

/** Rows of terms that this connection has read: entries of the primary key, and rows that the other indexes led to. */
async function termsRead(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ read: number }>(
    `SELECT (pg_stat_get_xact_tuples_returned('search_term_pkey'::regclass)
             + pg_stat_get_xact_tuples_fetched('search_term_customer'::regclass)
             + pg_stat_get_xact_tuples_fetched('search_term'::regclass))::integer AS read`,
  );
  return row?.read ?? assert.fail();
}
