/**
 * Where the product sends statements, read off its source by the compiler: the text where it can be told without running it, and the row that its
 * caller reads. A text that depends on what a function is called with, such as filters, is composed: only a test that sends it shows it.
 */
import { readFileSync } from 'node:fs';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker } from 'typescript/unstable/sync';
import { type Field, rowOf } from './row-type.ts';
import { sharedText, textThunk } from './text-thunk.ts';

export interface Site {
  /** From the repository's root. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The declaration at the top level that it is in. */
  readonly name: string;
  /** The fields that the caller reads; null where it reads none, or says only in a type parameter what it reads. */
  readonly fields: readonly Field[] | null;
  /** The row's type is the caller's. */
  readonly isGeneric: boolean;
  /** TypeScript that returns the text, to be run at the end of the file; null where the text is composed. */
  readonly thunk: string | null;
}

/** The sites of these files, which the configuration must include. */
export function findSites(root: string, files: readonly string[], configuration: string): Site[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [configuration] }).getProjects();
    if (project === undefined) throw new Error(`${configuration} is no project`);
    return files.flatMap((file) => {
      const source = project.program.getSourceFile(`${root}${file}`);
      return source === undefined ? [] : sitesOf(file, source, project.checker);
    });
  } finally {
    api.close();
  }
}

/** Files that may send a statement: the compiler reads no others, and what they import. */
export const mayHoldSites = (path: string, root: string) =>
  /\.query\b|\b(?:gather|deleteInBatches)[<(]/.test(readFileSync(`${root}${path}`, 'utf8'));

function sitesOf(file: string, source: SourceFile, checker: Checker): Site[] {
  const sites: Site[] = [];
  const visit = (node: Node, above: readonly Node[]): void => {
    const found = sentBy(node);
    if (found !== null) {
      const line = source.text.slice(0, found.node.getStart()).split('\n').length;
      const name = declaredName([...above, node]);
      const row = found.row === undefined ? null : rowOf(found.row, checker);
      const thunk = found.isShared ? sharedText(above, name) : found.text && textThunk(found.text, above);
      sites.push({
        file,
        line,
        name,
        fields: row?.fields ?? null,
        isGeneric: row?.isGeneric ?? false,
        thunk: thunk ?? null,
      });
    }
    node.forEachChild((child) => {
      visit(child, [...above, node]);
      return undefined;
    });
  };
  source.forEachChild((child) => {
    visit(child, []);
    return undefined;
  });
  return sites;
}

interface Sent {
  readonly node: Node;
  /** Undefined: composed. */
  readonly text: Node | undefined;
  readonly row: Node | undefined;
  readonly isShared: boolean;
}

type Call = Node & {
  expression: Node & { name?: Node; expression?: Node };
  arguments: readonly Node[];
  typeArguments?: readonly Node[];
};

/** `db.query<Row>(text, values)`, `gather<Input, Row>({ … })`, and `deleteInBatches(db, …)`, which composes its text. The driver's own clients are left out: what they send is no statement of the product. */
function sentBy(node: Node): Sent | null {
  if (node.kind !== SyntaxKind.CallExpression) return null;
  const { expression: callee, arguments: args, typeArguments } = node as Call;
  const [first] = args;
  if (first === undefined) return null;
  if (callee.kind === SyntaxKind.Identifier && callee.getText() === 'gather')
    return { node, text: first, row: typeArguments?.[1], isShared: true };
  if (callee.kind === SyntaxKind.Identifier && callee.getText() === 'deleteInBatches')
    return { node, text: undefined, row: undefined, isShared: false };
  if (callee.kind !== SyntaxKind.PropertyAccessExpression || callee.name?.getText() !== 'query') return null;
  if (/^(?:client|pool|.*\.pool|.*\.client)$/.test(callee.expression?.getText() ?? '')) return null;
  return { node, text: first, row: typeArguments?.[0], isShared: false };
}

function declaredName(above: readonly Node[]): string {
  const [top] = above;
  if (top === undefined) return '';
  if (top.kind !== SyntaxKind.VariableStatement) return (top as { name?: Node }).name?.getText() ?? '';
  const { declarations } = (
    top as unknown as { declarationList: { declarations: readonly (Node & { name: Node })[] } }
  ).declarationList;
  return declarations[0]?.name.getText() ?? '';
}
