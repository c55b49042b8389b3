/** Inspects templates and renders them. */
import type { Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { engine, outputLengthAtMost, parse } from './engine.ts';
import { bookingRoots, type TemplateRoot, type TemplateVariables, templateFields } from './fields.ts';
import { nearestPlaceholder } from './nearest.ts';
import { TemplateError } from './template-error.ts';

export interface TemplateInspection {
  /** Such as `customer.firstName`; each once, sorted. */
  readonly placeholders: string[];
  /** True when a placeholder is a field of a booking or its car. */
  readonly requiresBooking: boolean;
  /** Unknown fields, which render empty. */
  readonly unknown: string[];
}

function isRoot(name: unknown): name is TemplateRoot {
  return typeof name === 'string' && Object.hasOwn(templateFields, name);
}

/** Throws TemplateError when the path is not a field of one of the template variables. */
function rootOf(path: readonly unknown[]): TemplateRoot {
  const [root, field, ...deeper] = path;
  if (isRoot(root) && typeof field === 'string' && deeper.length === 0) return root;
  const [what, there] = isRoot(root)
    ? [`${root} has`, templateFields[root]]
    : ['there are', Object.keys(templateFields)];
  const unknown = path.join('.');
  throw new TemplateError(
    `unknown placeholder ${unknown}: did you mean ${nearestPlaceholder(unknown)}? (${what}: ${there.join(', ')})`,
  );
}

function analyse(templates: Template[]): unknown[][] {
  try {
    return engine.globalVariableSegmentsSync(templates, { partials: false });
  } catch (error) {
    throw TemplateError.from(error);
  }
}

function isKnown([root, field]: readonly unknown[]): boolean {
  const fields: readonly unknown[] = isRoot(root) ? templateFields[root] : [];
  return fields.includes(field);
}

/** Throws TemplateError when the body does not parse, or uses variables other than customer, workshop, booking and car. */
export function inspectTemplate(body: string): TemplateInspection {
  const templates = parse(body);
  const paths = analyse(templates);
  const roots = paths.map(rootOf);
  return {
    placeholders: [...new Set(paths.map((path) => path.join('.')))].sort(),
    requiresBooking: roots.some((root) => bookingRoots.includes(root)),
    unknown: [...new Set(paths.filter((path) => !isKnown(path)).map((path) => path.join('.')))].sort(),
  };
}

/** A cache of parsed templates: parsing takes several times as long as rendering, and a relay renders four for each booking. */
const parsed = new LRUCache<string, Template[]>({ max: 500, memoMethod: parse });

/** Renders the text of one message; missing variables render as nothing. Throws TemplateError. */
export function renderTemplate(body: string, variables: TemplateVariables): string {
  const templates = parsed.memo(body);
  let text: unknown;
  try {
    text = engine.renderSync(templates, variables);
  } catch (error) {
    throw TemplateError.from(error);
  }
  if (typeof text !== 'string') throw new TemplateError('renders no text');
  if (text.length > outputLengthAtMost) {
    throw new TemplateError(`renders more than ${outputLengthAtMost} characters`);
  }
  return text;
}
