/** House rule about the machine's clock in the conditions of statements.sql. */
import { finding, type Rule } from './rule.ts';

/** One pair of parentheses, or a statement. */
interface Frame {
  /** The clause that was last begun here; null: this is no query, but a list, a call or an operand. */
  clause: string | null;
  /** Only arrays are read here, and no table: there is no index to go by. */
  readsArray: boolean;
  conflicts: boolean;
}

/** What is no condition, as one word: comments, strings and names in quotes; else words and what a statement is divided by. */
const parts = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|[A-Za-z_]\w*|[();]/g;
const begins = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const clauses = new Set(
  'FROM JOIN WHERE ON SET VALUES RETURNING GROUP HAVING ORDER LIMIT OFFSET WINDOW UNION'.split(' '),
);
const fresh = (): Frame => ({ clause: null, readsArray: false, conflicts: false });

/**
 * Offsets of `clock_timestamp` where it stands bare in a WHERE or ON over tables. A condition of ON CONFLICT is left out: it is read
 * once its row is locked, and so late is meant.
 */
function bareClocks(sql: string): number[] {
  const found: number[] = [];
  let frames = [fresh()];
  let before = '';
  for (const { 0: part, index } of sql.matchAll(parts)) {
    const frame = frames.at(-1) ?? fresh();
    const word = part.toUpperCase();
    if (part === ';') frames = [fresh()];
    else if (part === '(') frames.push(fresh());
    else if (part === ')') frames.pop();
    else if (
      begins.has(word) &&
      !(word === 'UPDATE' && (before === 'DO' || before === 'KEY' || before === 'FOR'))
    ) {
      frame.clause = word;
      frame.readsArray = false;
      frame.conflicts = false;
    } else if (frame.clause !== null && word === 'CONFLICT') frame.conflicts = true;
    else if (frame.clause !== null && clauses.has(word) && before !== 'DISTINCT') frame.clause = word;
    else if (word === 'UNNEST' && before === 'FROM') frame.readsArray = true;
    else if (word === 'CLOCK_TIMESTAMP') {
      const query = frames.findLast(({ clause }) => clause !== null);
      const isCondition = query?.clause === 'WHERE' || query?.clause === 'ON';
      if (isCondition && !query.readsArray && !query.conflicts) found.push(index);
    }
    if (!part.startsWith('--')) before = word;
  }
  return found;
}

const boundClock: Rule = {
  name: 'no bare clock_timestamp() in a condition over a table',
  instead:
    'write (SELECT clock_timestamp()), also with what is added to it: the bare one is volatile, is asked again for each row, and no index can be searched by it',
  find: (files) =>
    files
      .filter(({ path }) => path === 'statements.sql')
      .flatMap((file) =>
        bareClocks(file.text).map((at) =>
          finding(file, at, file.text.slice(at - 40, at + 30).replace(/\s+/g, ' ')),
        ),
      ),
  bad: [
    statement('DELETE FROM attempt WHERE expires_at < clock_timestamp()'),
    statement('SELECT FROM event WHERE id > first_id(clock_timestamp() - make_interval(days => $1))'),
    statement('SELECT FROM event e WHERE (e.kind = $1 OR e.at BETWEEN clock_timestamp() AND $2)'),
    statement('WITH a AS (SELECT FROM b WHERE due_at <= clock_timestamp() LIMIT 1) SELECT FROM a'),
    statement('SELECT FROM a JOIN b ON b.id = a.id AND b.until > clock_timestamp()'),
    statement('UPDATE a SET at = $1 WHERE until > clock_timestamp() RETURNING true'),
    statement('SELECT (SELECT count(*) FROM unnest($1) at) FROM a WHERE until > clock_timestamp()'),
    statement('SELECT FROM a WHERE b > $1 FOR UPDATE; DELETE FROM a WHERE b > clock_timestamp()'),
  ],
  good: [
    statement('DELETE FROM attempt WHERE expires_at < (SELECT clock_timestamp())'),
    statement(
      'SELECT FROM event WHERE id > (SELECT first_id(clock_timestamp() - make_interval(days => $1)))',
    ),
    statement('UPDATE a SET at = clock_timestamp() WHERE id = $1 RETURNING at > clock_timestamp()'),
    statement('INSERT INTO a SELECT id, clock_timestamp() FROM b WHERE id = $1'),
    statement('SELECT DISTINCT ON (id) id, clock_timestamp() FROM b'),
    statement(
      'SELECT FROM a WHERE 5 > (SELECT count(*) FROM unnest(a.uses) AS at WHERE at > clock_timestamp())',
    ),
    statement(
      'INSERT INTO a VALUES ($1) ON CONFLICT (id) DO UPDATE SET b = 1 WHERE a.until < clock_timestamp()',
    ),
    statement("SELECT FROM a WHERE b = 'clock_timestamp()' -- not clock_timestamp()"),
    { 'schema.sql': 'DELETE FROM attempt WHERE expires_at < clock_timestamp();\n' },
  ],
};

function statement(text: string): Readonly<Record<string, string>> {
  return { 'statements.sql': `-- src/a/store.ts: text\n${text};\n` };
}

export const sqlClockRules: readonly Rule[] = [boundClock];
