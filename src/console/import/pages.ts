/** The pages of an import. They show counts, headings and line numbers, and no value of the file: only `columns.ts` does. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { asSentence, capital } from '#base/values/sentence.ts';
import { button, buttons, facts, linkButton, select } from '#platform/pages/components.ts';
import { type Counts, countLabels } from '#product/imports/counts.ts';
import type { FileState, ImportFile } from '#product/imports/files/store.ts';
import type { ImportRun, RunState } from '#product/imports/take-back/run/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { table } from '../lists/table.ts';
import { notesList, questionsForm } from './questions.ts';
import { takeBackCard } from './take-back.ts';

const stateLabels: Readonly<Record<FileState, string>> = {
  checked: 'Waits for you',
  importing: 'Is being imported',
  imported: 'Imported',
  stopped: 'Stopped',
};

const kinds = [
  { value: 'customers', label: 'Customers with their cars' },
  { value: 'bookings', label: 'Bookings' },
];
const orders = [
  { value: '', label: 'As 2026-04-03, or in one way only' },
  { value: 'dmy', label: 'Day first: 3/4/2026 is 3 April' },
  { value: 'mdy', label: 'Month first: 4/3/2026 is 3 April' },
];

export function importPage(
  { base, form, query }: WorkshopVisit,
  { files, runs }: { readonly files: readonly ImportFile[]; readonly runs: ReadonlyMap<string, RunState> },
  refused: Refused | null,
): ConsolePage {
  const fault = faultOf(refused, 'file');
  const body = html`${select({ name: 'kind', label: 'What it holds', value: form['kind'] ?? 'customers', error: faultOf(refused, 'kind'), required: true, options: kinds })}
<div class="field${fault ? ' wrong' : ''}"><label for="file">CSV file</label><p class="hint" id="file-hint">At most 5 MB. The first line names the columns, in your words: what is not known is asked.</p><input id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv" required aria-describedby="file-hint${fault ? ' file-error' : ''}"${fault ? html` aria-invalid="true"` : null}>${fault ? html`<p class="error" id="file-error">${fault}</p>` : null}</div>
${select({ name: 'dates', label: 'Days', value: form['dates'] ?? '', options: orders, isUnmarked: true, hint: 'How days such as 3/4/2026 are meant.' })}
${buttons(button('Check file'))}`;
  return {
    title: 'Import',
    current: 'More',
    said: query['said'] === 'dropped' ? 'Dropped: nothing of it was imported.' : null,
    main: html`<h1>Import</h1>${refusal(refused)}
<p>Brings customers, cars and bookings from another system. Nothing changes before you have seen what would. Customers are not notified. It can be taken back within an hour.</p>
<section class="card narrow" aria-labelledby="send"><h2 id="send">A file</h2>${changeForm({ action: `${base}/import`, isUpload: true, body })}</section>
${files.length === 0 ? null : html`<h2>Files of the last month</h2>${table({ head: ['File', 'Holds', 'Rows', 'State'], rows: files.map((file) => rowOf(base, file, runs.get(file.id))), next: null, empty: '' })}`}`,
  };
}

const runLabels: Readonly<Partial<Record<RunState, string>>> = {
  takingBack: 'Is being taken back',
  takenBack: 'Taken back',
  stopped: 'Taken back in part',
};

const rowOf = (
  base: string,
  { id, fileName, kind, report, state }: ImportFile,
  run: RunState | undefined,
) => [
  html`<a href="${base}/import/${id}"><bdi>${fileName || 'A file'}</bdi></a>`,
  kind,
  String(report.counts.rows),
  (run === undefined ? undefined : runLabels[run]) ?? stateLabels[state],
];

export function filePage(
  visit: WorkshopVisit,
  { file, run }: { readonly file: ImportFile; readonly run: ImportRun | null },
  refused: Refused | null,
): ConsolePage {
  const { base } = visit;
  return {
    title: 'Import',
    current: 'More',
    main: html`<p><a href="${base}/import">Import</a></p><h1><bdi>${file.fileName || 'A file'}</bdi></h1>${refusal(refused)}
${stateOf(visit, `${base}/import/${file.id}`, file, run)}
${faultList(base, file)}`,
  };
}

function stateOf(visit: WorkshopVisit, path: string, file: ImportFile, run: ImportRun | null): SafeHtml {
  const { state, report, taken, counts } = file;
  if (state === 'checked') return dryRun(path, file);
  if (state === 'importing')
    return html`<section class="card narrow" id="import-state"${following(path)}><h2>Is being imported</h2><p>${taken} of ${report.counts.rows} rows are done. It goes on when you leave this page.</p><p class="buttons">${linkButton('Look again', path, 'quiet')}</p></section>`;
  return html`<div class="stack narrow" id="import-state"${run?.state === 'takingBack' ? following(path) : null}><section class="card"><h2>${stateLabels[state]}</h2>${state === 'stopped' ? html`<p>It failed, and was given up after ${taken} rows. Send the file again: what was imported is left alone.</p>` : null}${countFacts(counts ?? report.counts)}</section>${takeBackCard(visit, path, file, run)}</div>`;
}

/** The part of the page is fetched again until it has come to its end. */
const following = (path: string): SafeHtml =>
  html` hx-get="${path}" hx-trigger="every 2s" hx-select="#import-state" hx-swap="outerHTML ignoreTitle:true" hx-headers='{"Pitlane-Follows": "yes"}'`;

function dryRun(path: string, { report, matched }: ImportFile): SafeHtml {
  const { counts, ignored, encoding, faults, questions = [], unclear } = report;
  const drop = changeForm({ action: `${path}/drop`, body: buttons(button('Drop the file', 'quiet')) });
  const match = (kind: 'primary' | 'quiet') =>
    html`<p class="buttons">${linkButton('Match columns', `${path}/columns`, kind)}</p>`;
  if (unclear !== undefined)
    return html`<section class="card narrow" id="import-state"><h2>Which column is what?</h2><p>${asSentence(capital(unclear))}</p>${match('primary')}${drop}</section>`;
  const good = counts.rows - counts.faulty;
  const skip = html`<p class="check"><input type="checkbox" id="skipFaulty" name="skipFaulty"><label for="skipFaulty">Import the rows without faults</label></p>`;
  const form = changeForm({
    action: path,
    body: html`${faults > 0 ? skip : null}<p>It can be taken back within an hour.</p>${buttons(button('Import'))}`,
  });
  return html`<section class="card narrow" id="import-state"><h2>Dry run</h2><p>Nothing has changed yet. This is what an import would do.</p>${countFacts(counts)}
${facts([
  ['Read as', encoding.toUpperCase()],
  ['Columns', matched === null ? 'by their headings' : 'as matched by hand'],
  ['Columns that are not read', ignored.length === 0 ? 'none' : ignored.join(', ')],
])}${notesList(report)}${match('quiet')}
${questions.length > 0 ? questionsForm(path, questions) : good > 0 ? form : html`<p>No row can be imported.</p>`}
${drop}</section>`;
}

const countFacts = (counts: Counts): SafeHtml =>
  facts(Object.entries(countLabels).map(([name, label]) => [label, String(counts[name as keyof Counts])]));

function faultList(base: string, { id, report: { faults, firstFaults } }: ImportFile): SafeHtml | null {
  if (faults === 0) return null;
  const first = faults > firstFaults.length ? `, of which these are the first ${firstFaults.length}` : '';
  const rows = firstFaults.map(({ line, column, message }) => [
    String(line),
    column === '' ? 'the row' : html`<bdi>${column}</bdi>`,
    message,
  ]);
  return html`<h2>Faults</h2><p>${faults} ${faults === 1 ? 'fault' : 'faults'}${first}. ${linkButton('All faults as CSV', `${base}/import/${id}/faults`, 'quiet')}</p>${table({ head: ['Line', 'Column', 'Fault'], rows, next: null, empty: '' })}`;
}
