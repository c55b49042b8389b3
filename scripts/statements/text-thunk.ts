/** TypeScript that tells the text of a statement, taken from where it is sent. */
import { type Node, SyntaxKind } from 'typescript/unstable/ast';

/** `name.text` of a shared statement that a constant of the file holds. */
export function sharedText(above: readonly Node[], declared: string): string | null {
  const isConstant = above.length <= 3 && above[0]?.kind === SyntaxKind.VariableStatement;
  return isConstant ? `() => ${declared}.text` : null;
}

/** Null where the text needs more than what stands at the top level of files. */
export function textThunk(text: Node, above: readonly Node[]): string | null {
  const locals = new Map<string, Node | null>();
  for (const node of above)
    if (isFunction(node)) for (const [name, value] of bindingsIn(node)) locals.set(name, value);
  const needed = new Map<string, string>();
  const isTold = (node: Node, depth: number): boolean => {
    if (depth > 10) return false;
    return freeNames(node).every((name) => {
      if (name === 'this' || name === 'await') return false;
      if (!locals.has(name) || needed.has(name)) return true;
      const value = locals.get(name);
      if (value === null || value === undefined || !isTold(value, depth + 1)) return false;
      needed.set(name, `const ${name} = ${value.getText()};`);
      return true;
    });
  };
  if (!isTold(text, 0)) return null;
  return `() => { ${[...needed.values()].join(' ')} return (${text.getText()}); }`;
}

const functions = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
]);
const isFunction = (node: Node) => functions.has(node.kind);

/** What a function binds: parameters, and variables in it. The value is that of a constant with a name; null for all others. */
function bindingsIn(node: Node): [string, Node | null][] {
  const found: [string, Node | null][] = [];
  const visit = (each: Node): void => {
    if (
      each.kind === SyntaxKind.Parameter ||
      each.kind === SyntaxKind.VariableDeclaration ||
      each.kind === SyntaxKind.BindingElement
    ) {
      const { name, initializer } = each as Node & { name?: Node; initializer?: Node };
      const isConstant =
        each.kind === SyntaxKind.VariableDeclaration && each.parent.getText().startsWith('const');
      if (name?.kind === SyntaxKind.Identifier)
        found.push([name.getText(), isConstant ? (initializer ?? null) : null]);
    }
    each.forEachChild((child) => {
      visit(child);
      return undefined;
    });
  };
  visit(node);
  return found;
}

/** Names that an expression takes from around it. */
function freeNames(node: Node): string[] {
  const own = new Set(bindingsIn(node).map(([name]) => name));
  const found: string[] = [];
  const visit = (each: Node): void => {
    if (each.kind === SyntaxKind.ThisKeyword) found.push('this');
    if (each.kind === SyntaxKind.AwaitExpression) found.push('await');
    if (each.kind === SyntaxKind.Identifier && !own.has(each.getText())) found.push(each.getText());
    if (each.kind === SyntaxKind.TypeReference) return;
    const { expression, initializer } = each as { expression?: Node; initializer?: Node };
    // A property's name is no name of the file's.
    if (each.kind === SyntaxKind.PropertyAccessExpression && expression) visit(expression);
    else if (each.kind === SyntaxKind.PropertyAssignment && initializer) visit(initializer);
    else
      each.forEachChild((child) => {
        visit(child);
        return undefined;
      });
  };
  visit(node);
  return found;
}
