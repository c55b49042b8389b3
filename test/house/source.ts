/** The repository as the house rules see it: files with their code, literals and imports told apart. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

export interface Literal {
  /** What stands between the quotes, as written. */
  readonly text: string;
  /** Offset of the opening quote in the file. */
  readonly at: number;
}

export interface SourceFile {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and the insides of literals blanked; offsets are those of `text`. Empty when not code. */
  readonly code: string;
  readonly literals: readonly Literal[];
}

/** Every file that is tracked or would be, with its text; binary files are left out. */
export function readRepository(root: string): SourceFile[] {
  return paths(root).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return text.includes('\0') ? [] : [parseSource(path, text)];
  });
}

function paths(root: string): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    const present = new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }));
    return listed
      .toString()
      .split('\0')
      .filter((path) => present.has(path));
  } catch {
    // Not a clone: everything but what is installed or made here.
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !/^(?:node_modules|data|\.git)\//.test(path));
  }
}

export function parseSource(path: string, text: string): SourceFile {
  return /\.(?:ts|mjs)$/.test(path) ? { path, text, ...split(text) } : { path, text, code: '', literals: [] };
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/** A slash after one of these is a division; after anything else a regular expression begins. */
const endsOperand = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.RegularExpressionLiteral,
]);

/** Length of what closes each kind of literal; all open with one character. */
const closing = new Map([
  [SyntaxKind.StringLiteral, 1],
  [SyntaxKind.NoSubstitutionTemplateLiteral, 1],
  [SyntaxKind.TemplateHead, 2],
  [SyntaxKind.TemplateMiddle, 2],
  [SyntaxKind.TemplateTail, 1],
  [SyntaxKind.RegularExpressionLiteral, 1],
]);

function split(text: string): { code: string; literals: Literal[] } {
  const scanner = createScanner(true);
  scanner.setText(text);
  const literals: Literal[] = [];
  // For each open brace, whether a template literal goes on after it.
  const braces: boolean[] = [];
  let code = '';
  let before: SyntaxKind = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (kind === SyntaxKind.SlashToken && !endsOperand.has(before)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.OpenBraceToken) braces.push(false);
    if (kind === SyntaxKind.CloseBraceToken && braces.pop()) kind = scanner.reScanTemplateToken(false);
    if (kind === SyntaxKind.TemplateHead || kind === SyntaxKind.TemplateMiddle) braces.push(true);

    const at = scanner.getTokenStart();
    const token = scanner.getTokenText();
    const end = closing.get(kind);
    code += blank(text.slice(code.length, at));
    code += end === undefined ? token : token[0] + blank(token.slice(1, -end)) + token.slice(-end);
    if (end !== undefined && kind !== SyntaxKind.RegularExpressionLiteral) {
      literals.push({ text: token.slice(1, -end), at });
    }
    before = kind;
  }
  return { code: code + blank(text.slice(code.length)), literals };
}

/** A package of this repository by its name in `imports` of package.json, such as `#smpp`. */
const localPackage = /^#([a-z][a-z-]*)$/;

/** The folder of the local package that a file belongs to: `packages/smpp/`. */
export const localPackageOf = (path: string) => /^packages\/[^/]+\//.exec(path)?.[0];

/** What the file refers to by name of file, or by a local package: paths from the root (`src/base/values/id.ts`). */
export function references(file: SourceFile): { readonly path: string; readonly at: number }[] {
  return file.literals.flatMap(({ text, at }) => {
    const name = isImported(file, at) ? localPackage.exec(text)?.[1] : undefined;
    if (name !== undefined) return [{ at, path: `packages/${name}/src/index.ts` }];
    if (!/^(?:#|\.{1,2}\/)\S*\.ts$/.test(text)) return [];
    const path = text.startsWith('#') ? `src/${text.slice(1)}` : posix.join(posix.dirname(file.path), text);
    return [{ at, path }];
  });
}

/** True for a literal that says what to import. */
const isImported = (file: SourceFile, at: number) =>
  /(?:\bfrom|\bimport)\s*\(?\s*$/.test(file.code.slice(0, at));

/** The packages that the file imports, by name without sub-path. */
export function packages(file: SourceFile): { readonly name: string; readonly at: number }[] {
  return file.literals
    .filter(({ text, at }) => isImported(file, at) && /^[@a-z]/.test(text))
    .map(({ text, at }) => ({ at, name: /^(?:@[^/]+\/)?[^/]+/.exec(text)?.[0] ?? text }));
}

/** True for code that runs in production: under src, here or in a local package, and no test. */
export function isProduct(file: SourceFile): boolean {
  return /^(?:packages\/[^/]+\/)?src\/.*\.ts$/.test(file.path) && !isTest(file);
}

export function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts');
}
