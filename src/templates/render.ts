/** Templates of messages: what they ask for, and their text for one message. */
import type { Template } from 'liquidjs';
import { engine, outputLengthAtMost, parse } from './engine.ts';
import { bookingRoots, type TemplateRoot, type TemplateVariables, templateFields } from './fields.ts';
import { TemplateError } from './template-error.ts';

export interface TemplateInspection {
  /** Such as `customer.firstName`; each once, sorted. */
  readonly placeholders: string[];
  /** True when a placeholder speaks of a booking or its car. */
  readonly requiresBooking: boolean;
  /** Placeholders that no value is known for: they render empty. */
  readonly unknown: string[];
}

function isRoot(name: unknown): name is TemplateRoot {
  return typeof name === 'string' && Object.hasOwn(templateFields, name);
}

/** Throws TemplateError when the path is not a field of something that templates speak of. */
function rootOf(path: readonly unknown[]): TemplateRoot {
  const [root, field, ...deeper] = path;
  if (!isRoot(root)) {
    throw new TemplateError(
      `unknown placeholder ${root}; there are: ${Object.keys(templateFields).join(', ')}`,
    );
  }
  if (typeof field !== 'string' || deeper.length > 0) {
    throw new TemplateError(
      `unknown placeholder ${path.join('.')}; ${root} has: ${templateFields[root].join(', ')}`,
    );
  }
  return root;
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

/** Throws TemplateError when the body does not parse, or speaks of something else than customer, workshop, booking and car. */
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

/** Parsed texts: to parse one takes several times as long as to render it, and a relay renders four for each booking. */
const parsed = new Map<string, Template[]>();
const parsedAtMost = 500;

function parsedOnce(body: string): Template[] {
  const known = parsed.get(body);
  if (known !== undefined) return known;
  const templates = parse(body);
  const [oldest] = parsed.keys();
  if (parsed.size >= parsedAtMost && oldest !== undefined) parsed.delete(oldest);
  parsed.set(body, templates);
  return templates;
}

/** The text of one message. What the variables lacks is left out. Throws TemplateError. */
export function renderTemplate(body: string, variables: TemplateVariables): string {
  const templates = parsedOnce(body);
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
