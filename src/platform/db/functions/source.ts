/** Reads the source files of functions and triggers. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { functionFiles } from './list.ts';

/** One function or one trigger, as its file has it. */
export interface SqlObject {
  readonly kind: 'function' | 'trigger';
  readonly name: string;
  /** The table of a trigger; null for a function. */
  readonly table: string | null;
  /** From the repository's root. */
  readonly path: string;
  /** The edition of the file: a positive integer, raised by each change. */
  readonly edition: number;
  /** One statement, which makes it or replaces it. */
  readonly sql: string;
  /** SHA-256 in hex, of the statement with LF line ends. */
  readonly checksum: string;
}

export interface FunctionFile {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

const head = /^-- Edition ([1-9]\d*)\.\n/;
const beginning =
  /^CREATE OR REPLACE (?:(FUNCTION) (\w+)\(|(TRIGGER) (\w+)\s(?:BEFORE|AFTER)\s[^;]*?\sON\s(\w+)\s)/;

const source = new URL('../../../', import.meta.url);

export function readFunctionFiles(): Promise<FunctionFile[]> {
  return Promise.all(
    functionFiles.map(async (name) => ({
      path: `src/${name}`,
      text: await readFile(new URL(name, source), 'utf8'),
    })),
  );
}

/** The statements of a file. Throws where it has no edition, or anything but functions and triggers. */
export function objectsOf({ path, text: anyEnds }: FunctionFile): SqlObject[] {
  const text = anyEnds.replaceAll('\r\n', '\n');
  const edition = Number(head.exec(text)?.[1]);
  const [comments = '', ...statements] = text.split(/^(?=CREATE )/m);
  if (!edition || /^(?!--|$)/m.test(comments) || statements.length === 0) throw strange(path);
  return statements.map((statement) => {
    const sql = statement.trim();
    const [, isFunction, functionName, , triggerName, table = null] = beginning.exec(sql) ?? [];
    const name = functionName ?? triggerName;
    if (name === undefined || !sql.endsWith(';')) throw strange(path);
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { kind: isFunction ? 'function' : 'trigger', name, table, path, edition, sql, checksum };
  });
}

const strange = (path: string) =>
  new Error(
    `${path} is not read: its first line has to be "-- Edition N.", and what follows its comments ` +
      'CREATE OR REPLACE FUNCTION or TRIGGER',
  );
