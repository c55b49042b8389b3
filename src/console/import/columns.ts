/**
 * /console/w/{slug}/import/{id}/columns: the columns of a waiting file are matched by hand. It shows first values of the file, which are
 * customers' data: only whoever may import opens it.
 */
import { html } from '@remix-run/html-template';
import { asSentence, capital } from '#base/values/sentence.ts';
import { Problem } from '#errors.ts';
import { button, buttons, linkButton, select } from '#platform/pages/components.ts';
import { matchColumns, readColumnsOf } from '#product/imports/files/match-columns.ts';
import type { ImportFile } from '#product/imports/files/store.ts';
import { choicesOf } from '#product/imports/matched/fields.ts';
import { columnField, nameOfColumn } from '#product/imports/matched/match.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export async function columnsPage(
  visit: WorkshopVisit,
  file: ImportFile,
  refused: Refused | null = null,
): Promise<ConsolePage> {
  const { context, base, form, request } = visit;
  const path = `${base}/import/${file.id}`;
  const shown = file.state === 'checked' ? await readColumnsOf(context, file) : null;
  if (shown === null) throw new Problem('000002');
  const headings = shown.columns.map(({ heading }) => heading);
  const options = [
    { value: '', label: 'Not read' },
    ...choicesOf(file.kind).map(({ field, label }) => ({ value: field, label })),
  ];
  const isSent = request.method === 'POST';
  const fields = shown.columns.map(({ samples }, n) => {
    const name = columnField(n);
    const error = faultOf(refused, name);
    return select({
      ...{ name, label: nameOfColumn(headings, n), options, isUnmarked: true },
      hint: samples.length === 0 ? 'It is empty in the first rows.' : `Such as ${samples.join(' · ')}`,
      value: (isSent ? form[name] : shown.matched[n]) ?? '',
      ...(error === undefined ? {} : { error }),
    });
  });
  const fault = faultOf(refused, 'columns');
  const { unclear } = file.report;
  return {
    title: 'Match columns',
    current: 'More',
    main: html`<p><a href="${path}"><bdi>${file.fileName || 'The file'}</bdi></a></p><h1>Match columns</h1>${refusal(refused)}
${unclear === undefined ? null : html`<p class="notice">${asSentence(capital(unclear))}</p>`}
<p>Say what each column of the file is. What is filled in is a guess by its heading and its first values, or what was chosen before. The choice is kept for the next file with these headings.</p>
<section class="card narrow" aria-labelledby="columns"><h2 id="columns" tabindex="-1">Columns</h2>${fault ? html`<p class="error">They ${fault}</p>` : null}${changeForm(
      {
        action: `${path}/columns`,
        body: html`<div class="stack">${fields}</div>${buttons(button('Check file'), linkButton('Back', path, 'quiet'))}`,
      },
    )}</section>`,
  };
}

export function sendColumns(visit: WorkshopVisit, file: ImportFile): Promise<ConsoleResponse> {
  const { form, base } = visit;
  const to = `${base}/import/${file.id}`;
  return submit(
    visit,
    async (key) => {
      await matchColumns(key.once(to), file, (name) => form[name]);
      return to;
    },
    (refused) => columnsPage(visit, file, refused),
  );
}
