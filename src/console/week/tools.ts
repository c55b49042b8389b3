/** Closing days or bays, once or each week or year, and opening them again. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { field, hidden, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { countInClosing } from '#product/bookings/staff/close-span.ts';
import { closeForm, refusedOf, reopenForms } from '../days/closing.ts';
import { closingOf, liesIn, type RefusedTool } from '../days/tool-routes.ts';
import { faultOf } from '../frame/form.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { WeekDay } from './read.ts';

/** Null without the permission to change bookings, and if the whole week is past and open. */
export async function weekTools(
  visit: WorkshopVisit,
  days: readonly WeekDay[],
  refused: RefusedTool | null,
): Promise<SafeHtml | null> {
  const ahead = days.filter(({ date, today }) => date >= today);
  const [first] = days;
  const [next] = ahead;
  if (!visit.may('changeBookings') || first === undefined || next === undefined) return null;
  const blocks = new Map(ahead.flatMap((day) => day.blocks).map((block) => [block.id, block]));
  const place = { path: 'week', shownBy: 'from', shown: first.date } as const;
  const wrong = refusedOf(refused, 'close');
  const isTyped = visit.query['first'] !== undefined;
  const typed: Form | null = wrong ? visit.form : isTyped ? visit.query : null;
  const values = typed ?? { first: next.date };
  const when = html`<div class="stack"${countFollows(`${visit.base}/week`)}>${hidden('from', first.date)}${closingFields(values, (name) => faultOf(wrong, name))}
<p class="buttons"><button class="button quiet" formmethod="get" formaction="${visit.base}/week#close" formnovalidate>Check</button></p>
<div id="closing-count">${await countOf(visit, typed)}</div></div>`;
  const form = { name: 'Close a day or bays', id: 'closing', when, ...(typed && { typed }) };
  return html`<section class="card narrow" id="close"><h2>Closing</h2>
${reopenForms(visit, [...blocks.values()], place)}
${closeForm(visit, place, form, wrong)}</section>`;
}

function closingFields(values: Form, error: (name: string) => string | undefined): SafeHtml {
  const of = (name: string, label: string, type: 'date' | 'time', hint?: string) =>
    field({
      name,
      label,
      type,
      value: values[name],
      isUnmarked: true,
      error: error(name),
      ...(hint && { hint }),
    });
  return html`<div class="pair">${of('first', 'From', 'date', 'The first day')}${of('last', 'To', 'date', 'Empty: that day alone')}</div>
<div class="pair">${of('begins', 'Begins at', 'time', 'Empty: the whole day')}${of('ends', 'Ends at', 'time', 'On the last day')}</div>
<div class="pair">${select({
    ...{
      name: 'repeat',
      label: 'Repeat',
      hint: 'The same once more',
      value: values['repeat'],
      isUnmarked: true,
      error: error('repeat'),
    },
    options: [
      { value: 'once', label: 'Once' },
      { value: 'weekly', label: 'Each week' },
      { value: 'yearly', label: 'Each year' },
    ],
  })}${of('until', 'Until', 'date', 'Begins again by then')}</div>`;
}

/** How many bookings lie in what is typed; fetched again when it changes. */
async function countOf({ context, workshop }: WorkshopVisit, typed: Form | null): Promise<SafeHtml> {
  const count = typed && (await countInClosing(context, workshop, closingOf(typed)));
  if (count === null)
    return html`<p class="hint">Bookings that are there stay. “Check” says how many lie in it.</p>`;
  const { closings, bookings } = count;
  return html`<p class="notice">${closings > 1 ? `${closings} closings. ` : null}${liesIn(bookings)}</p>`;
}

const countFollows = (path: string): SafeHtml =>
  html` hx-get="${path}" hx-trigger="change" hx-include="#closing :is(input, select):not([name=key])" hx-target="#closing-count" hx-select="#closing-count" hx-swap="outerMorph ignoreTitle:true" hx-sync="this:replace"`;
