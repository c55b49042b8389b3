/** How PostgreSQL plans each statement: by its own choice, unless the statement was given to one of these functions. */

export type PlanCacheMode = 'auto' | 'force_generic_plan' | 'force_custom_plan';

/** PostgreSQL settings that are set on a connection before a statement. */
export interface PlanSettings {
  readonly plan_cache_mode: PlanCacheMode;
  /**
   * Off: a plan may be made, and kept, from when a table was empty; reading it from end to end was cheapest then. With an index to go by
   * it never is.
   */
  readonly enable_seqscan: 'on' | 'off';
  /** Off: rows are read in the order of an index where one has it, and never gathered and sorted for the first few of them. */
  readonly enable_sort: 'on' | 'off';
}

const asFit: PlanSettings = { plan_cache_mode: 'auto', enable_seqscan: 'on', enable_sort: 'on' };
const once: PlanSettings = { ...asFit, plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
const byIndex: PlanSettings = { ...asFit, enable_seqscan: 'off' };
const inOrder: PlanSettings = { ...once, enable_sort: 'off' };
const eachTime: PlanSettings = { ...asFit, plan_cache_mode: 'force_custom_plan' };

const chosen = new Map<string, PlanSettings>();

/** How a statement is planned: by PostgreSQL's own choice, unless the statement was given to one of the functions below. */
export const plansOf = (text: string): PlanSettings => chosen.get(text) ?? asFit;

/**
 * Has the statement planned once on each connection, for any values; returns its text. For hot statements whose best plan is the same for
 * all values: PostgreSQL plans others again as often as that looks cheaper to it, and planning a long one takes longer than running it.
 * It never reads a table from end to end where an index can be used.
 * The planner knows no parameter of it: no `$1 IS NULL OR …`, no `LIMIT $1` before a join, no index whose predicate a parameter implies.
 */
export function planOnce(text: string): string {
  chosen.set(text, once);
  return text;
}

/**
 * Has the statement planned as PostgreSQL sees fit, but for reading a table from end to end where an index can be used; returns its text.
 * For what requests run often and a plan for any values does not suit.
 */
export function planByIndex(text: string): string {
  chosen.set(text, byIndex);
  return text;
}

/**
 * As `planOnce`, for a statement that reads a page in the order of an index: a planner that expects few rows (it does while a table has no
 * statistics) would gather all that follow, and sort them for the page.
 */
export function planInOrder(text: string): string {
  chosen.set(text, inOrder);
  return text;
}

/**
 * Has the statement planned for its values at each run; returns its text. For lists, where a filter leaves few rows or many:
 * PostgreSQL 15 keeps a plan for any values after five runs, and reads years of bookings by it.
 */
export function planEachTime(text: string): string {
  chosen.set(text, eachTime);
  return text;
}
