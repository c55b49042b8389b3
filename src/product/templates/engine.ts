/**
 * LiquidJS, sandboxed. Templates come from outside and render inside the server, so no template may read a file or the clock, or
 * take excessive time or memory:
 * - only the tags and filters listed here exist; none of them includes files or creates lists;
 * - `memoryLimit` counts every character that a filter or an output produces, and every iteration of a loop with its text;
 * - ranges have small whole numbers as bounds: one that starts above 2^53 would never end, whatever the limit. With these no
 * template takes 60 ms. `renderLimit` is a backstop far above that, since a busy machine may stall for longer.
 */
import {
  type Context,
  ForTag,
  Liquid,
  type PropertyAccessToken,
  type RangeToken,
  type Template,
  TokenKind,
} from 'liquidjs';
import { isolated } from '#base/values/bidi.ts';
import { ownFilters, textOf } from './filters.ts';
import { TemplateError } from './template-error.ts';

export const bodyLengthAtMost = 10_000;
export const outputLengthAtMost = 10_000;
const memoryAtMost = 100_000;
const rangeEndAtMost = 1_000;

const tags = ['#', 'assign', 'break', 'capture', 'case', 'comment', 'continue', 'for', 'if', 'raw', 'unless'];

/** Without `date`: times are already formatted in the workshop's zone, and the filter would use the server's zone and clock. */
const filters = [
  'append capitalize default downcase escape lstrip newline_to_br normalize_whitespace prepend remove remove_first',
  'remove_last replace replace_first replace_last rstrip size slice squish strip strip_newlines truncatewords',
  'upcase url_encode',
].flatMap((line) => line.split(' '));

/** The output of a placeholder: a right-to-left name does not reverse the words after it. */
function outputText(this: { context: Context }, value: unknown): string {
  const text = isolated(textOf(value));
  this.context.memoryLimit.use(text.length);
  return text;
}

/** A loop that charges `memoryLimit` for each iteration: one, plus the length of its body. */
class PaidForTag extends ForTag {
  constructor(...given: ConstructorParameters<typeof ForTag>) {
    super(...given);
    const length = (this.templates.at(-1)?.token.end ?? this.token.end) - this.token.end;
    this.templates.unshift({
      token: this.token,
      render: (context: Context) => context.memoryLimit.use(1 + length),
    });
  }
}

function makeEngine(): Liquid {
  const made = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: bodyLengthAtMost,
    memoryLimit: memoryAtMost,
    renderLimit: 1_000,
    outputEscape: outputText,
  });
  for (const name of Object.keys(made.tags)) if (!tags.includes(name)) delete made.tags[name];
  for (const name of Object.keys(made.filters)) if (!filters.includes(name)) delete made.filters[name];
  for (const [name, filter] of Object.entries(ownFilters)) made.registerFilter(name, filter);
  made.registerTag('for', PaidForTag);
  return made;
}

export const engine = makeEngine();

function kindOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'kind' in part ? part.kind : undefined;
}

function isSmall(bound: object): boolean {
  const number =
    kindOf(bound) === TokenKind.Number && 'content' in bound ? Number(bound.content) : Number.NaN;
  return Number.isInteger(number) && Math.abs(number) <= rangeEndAtMost;
}

/**
 * Walks the whole parse result, since a range or a path may occur in a tag, a filter's argument or another path. Refuses long
 * ranges, and paths inside a path (`a[b.c]`): their field is not known before rendering, and deep nesting takes seconds.
 */
function refuseWild(part: unknown, seen: Set<object>): void {
  if (typeof part !== 'object' || part === null || part === engine || seen.has(part)) return;
  seen.add(part);
  const range = part as Partial<RangeToken>;
  if (
    kindOf(part) === TokenKind.Range &&
    range.lhs &&
    range.rhs &&
    !(isSmall(range.lhs) && isSmall(range.rhs))
  ) {
    throw new TemplateError(
      `a range goes from one whole number to another, at most ${rangeEndAtMost}: (1..3)`,
    );
  }
  const path = part as Partial<PropertyAccessToken>;
  if (kindOf(part) === TokenKind.PropertyAccess && path.props?.some((prop) => !('content' in prop))) {
    throw new TemplateError('a placeholder is written out: customer.name');
  }
  for (const inner of Object.values(part)) refuseWild(inner, seen);
}

/** Parses a template; throws TemplateError with the fault and its place. */
export function parse(body: string): Template[] {
  if (body.length > bodyLengthAtMost) throw new TemplateError(`longer than ${bodyLengthAtMost} characters`);
  try {
    const templates = engine.parse(body);
    refuseWild(templates, new Set());
    return templates;
  } catch (error) {
    throw TemplateError.from(error);
  }
}
