/** /console/w/{slug}/import: customers, cars and bookings from another system's file: uploaded, checked in a dry run, imported. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { advanceImport } from '#product/imports/files/advance.ts';
import { answerQuestions } from '#product/imports/files/answer.ts';
import {
  allFaults,
  beginImport,
  dropFile,
  fileAtMostBytes,
  type Staged,
  stageFile,
} from '#product/imports/files/stage.ts';
import { findFile, type ImportFile, listFiles } from '#product/imports/files/store.ts';
import { findRun, findRunStates } from '#product/imports/take-back/run/store.ts';
import { type ConsoleResponse, change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { requirePhones } from '../frame/masked.ts';
import { afresh } from '../frame/routes.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { columnsPage, sendColumns } from './columns.ts';
import { csvOfFaults } from './csv.ts';
import { filePage, importPage } from './pages.ts';
import { acceptedIn } from './questions.ts';
import { stayedPage, takeBack } from './take-back.ts';

const permission = 'runWorkshop';
const listedAtMost = 10;
/** How long the request waits for an import to finish; a longer one continues in the background. */
const waitMs = 3_000;

/** A row with a number tells whose it is: it joins its car and name to the known customer. */
const withPhones =
  (handle: WorkshopRoute['handle']): WorkshopRoute['handle'] =>
  async (visit) => {
    requirePhones(visit, 'a file of customers');
    return handle(visit);
  };

const ofFile =
  (handle: (visit: WorkshopVisit, file: ImportFile) => Promise<ConsoleResponse>) =>
  async (visit: WorkshopVisit) => {
    const id = visit.params['id'] ?? '';
    const file = isId(id) ? await findFile(visit.context.db, visit.workshop.workshopId, id) : null;
    if (file === null) throw new Problem('000002');
    return handle(visit, file);
  };

const routes: readonly WorkshopRoute[] = [
  page('import', permission, (visit) => ask(visit, null)),
  { ...change('import', permission, send), uploadAtMostBytes: fileAtMostBytes },
  page(
    'import/:id',
    permission,
    ofFile((visit, file) => showFile(visit, file, null)),
  ),
  change('import/:id', permission, ofFile(begin)),
  change('import/:id/answers', permission, ofFile(answer)),
  change('import/:id/drop', permission, ofFile(drop)),
  page('import/:id/faults', permission, ofFile(faults)),
  change(
    'import/:id/take-back',
    permission,
    afresh(ofFile((visit, file) => takeBack(visit, file, (refused) => showFile(visit, file, refused)))),
  ),
  page(
    'import/:id/columns',
    permission,
    ofFile((visit, file) => columnsPage(visit, file)),
  ),
  change('import/:id/columns', permission, ofFile(sendColumns)),
  page('import/:id/stayed', permission, ofFile(stayedPage)),
];

export const importRoutes: readonly WorkshopRoute[] = routes.map((route) => ({
  ...route,
  handle: withPhones(route.handle),
}));

/** As it is now. */
async function showFile(
  visit: WorkshopVisit,
  { id, workshopId, ...shown }: ImportFile,
  refused: Refused | null,
) {
  const { db } = visit.context;
  const [file, run] = await Promise.all([findFile(db, workshopId, id), findRun(db, workshopId, id)]);
  return filePage(visit, { file: file ?? { id, workshopId, ...shown }, run }, refused);
}

async function ask(visit: WorkshopVisit, refused: Refused | null) {
  const { db } = visit.context;
  const { workshopId } = visit.workshop;
  const files = await listFiles(db, workshopId, listedAtMost);
  const ids = files.map(({ id }) => id);
  return importPage(visit, { files, runs: await findRunStates(db, workshopId, ids) }, refused);
}

function send(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop, base, request } = visit;
  const to = ({ id, isUnclear }: Staged) => `${base}/import/${id}${isUnclear ? '/columns' : ''}`;
  return submit(
    visit,
    async (key) =>
      to(
        await stageFile(key.once(to), {
          ...{ workshopId: workshop.workshopId, actor, file: request.upload },
          ...{ kind: form['kind'] ?? '', order: form['dates'] ?? '' },
        }),
      ),
    (refused) => ask(visit, refused),
  );
}

function begin(visit: WorkshopVisit, { id, workshopId, ...file }: ImportFile): Promise<ConsoleResponse> {
  const { context, actor, form, base } = visit;
  const to = `${base}/import/${id}`;
  return submit(
    visit,
    async (key) => {
      const skipFaulty = form['skipFaulty'] === 'on';
      await beginImport(key.once(to), { workshopId, id, actor, skipFaulty });
      // The import has begun: if this fails, the schedule continues it.
      await advanceImport(context, workshopId, id, waitMs).catch((err: unknown) =>
        context.log.warn({ err, importId: id }, 'an import was begun, and goes on later'),
      );
      return to;
    },
    (refused) => showFile(visit, { id, workshopId, ...file }, refused),
  );
}

function answer(visit: WorkshopVisit, file: ImportFile): Promise<ConsoleResponse> {
  const { form, base } = visit;
  const { id, workshopId } = file;
  const to = `${base}/import/${id}`;
  return submit(
    visit,
    async (key) => {
      await answerQuestions(key.once(to), { workshopId, id, accepted: acceptedIn(form) });
      return to;
    },
    (refused) => showFile(visit, file, refused),
  );
}

function drop(visit: WorkshopVisit, file: ImportFile): Promise<ConsoleResponse> {
  const { base } = visit;
  const { id, workshopId } = file;
  const to = `${base}/import?said=dropped`;
  return submit(
    visit,
    async (key) => {
      await dropFile(key.once(to), { workshopId, id });
      return to;
    },
    (refused) => showFile(visit, file, refused),
  );
}

async function faults(
  { context }: WorkshopVisit,
  { workshopId, id, report }: ImportFile,
): Promise<ConsoleResponse> {
  const all = (await allFaults(context, workshopId, id)) ?? report.firstFaults;
  return { fileName: 'import-faults.csv', type: 'text/csv; charset=utf-8', pieces: csvOfFaults(all) };
}
