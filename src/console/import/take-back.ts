/** Taking an import back on its page, and what stayed. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localTime } from '#base/values/local-time.ts';
import { asSentence, capital } from '#base/values/sentence.ts';
import { button, buttons, facts, linkButton } from '#platform/pages/components.ts';
import type { ImportFile } from '#product/imports/files/store.ts';
import { changedKinds } from '#product/imports/take-back/changes.ts';
import { listStayed, type Stayed } from '#product/imports/take-back/noted/store.ts';
import { takeBackUntil, whyNot } from '#product/imports/take-back/rules.ts';
import type { ImportRun, TakenBack } from '#product/imports/take-back/run/store.ts';
import type { Stays } from '#product/imports/take-back/store.ts';
import { advanceTakeBack, beginTakeBack } from '#product/imports/take-back/take-back.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listedAtMost, table } from '../lists/table.ts';

/** How long the request waits for it to end; a longer one goes on in the background. */
const waitMs = 3_000;

/** `refused` shows the page of the file again. */
export function takeBack(
  visit: WorkshopVisit,
  { id, workshopId }: ImportFile,
  refused: (refusal: Refused) => Promise<ConsolePage>,
): Promise<ConsoleResponse> {
  const { context, actor, base } = visit;
  const to = `${base}/import/${id}`;
  return submit(
    visit,
    async (key) => {
      await beginTakeBack(key.once(to), { workshopId, importId: id, actor });
      // It has begun: if this fails, the schedule goes on with it.
      await advanceTakeBack(context, workshopId, id, waitMs).catch((err: unknown) =>
        context.log.warn({ err, importId: id }, 'an import is being taken back, and that goes on later'),
      );
      return to;
    },
    refused,
  );
}

const countLabels: Readonly<Record<keyof TakenBack, string>> = {
  bookingsGone: 'Bookings gone',
  carsGone: 'Cars gone',
  customersGone: 'Customers gone',
  setBack: 'Known records set back',
  stayed: 'Stayed as they are',
};
const countFacts = (counts: TakenBack): SafeHtml =>
  facts(Object.entries(countLabels).map(([name, label]) => [label, String(counts[name as keyof TakenBack])]));

/** The card that takes back a file that was imported, wholly or in part. */
export function takeBackCard(
  { context, workshop }: WorkshopVisit,
  path: string,
  file: ImportFile,
  run: ImportRun | null,
): SafeHtml {
  const card = (title: string, body: SafeHtml) =>
    html`<section class="card" aria-labelledby="take-back"><h2 id="take-back">${title}</h2>${body}</section>`;
  if (run?.state === 'takingBack')
    return card(
      'Is being taken back',
      html`<p>It goes on when you leave this page.</p><p class="buttons">${linkButton('Look again', path, 'quiet')}</p>`,
    );
  if (run?.state === 'takenBack' || run?.state === 'stopped') {
    const { stayed = 0 } = run.counts ?? {};
    return card(
      run.state === 'takenBack' ? 'Taken back' : 'Taken back in part',
      html`${run.state === 'stopped' ? html`<p>It failed, and was given up. What was not judged yet stays.</p>` : null}${run.counts === null ? null : countFacts(run.counts)}${stayed > 0 ? html`<p class="buttons">${linkButton('What stayed', `${path}/stayed`, 'quiet')}</p>` : null}`,
    );
  }
  const reason = whyNot(run, context.clock, file);
  if (reason !== null || run === null)
    return card('Take it back', html`<p>${asSentence(capital(reason ?? ''))}</p>`);
  const until = localTime(takeBackUntil(run), workshop.timezone);
  return card(
    'Take it back',
    html`<p>Until ${until}. What the file made and nobody has touched since goes, and places are free again. What was changed, or has a message, a booking, a quote or an opt-out, stays. Nobody is told.</p>${changeForm({ action: `${path}/take-back`, body: buttons(button('Take back import', 'danger')) })}`,
  );
}

const reasons: Readonly<Record<Stays, string>> = {
  message: 'Has a message',
  booking: 'Has a booking',
  quote: 'Has a quote',
  optedOut: 'Opted out',
  imported: 'Stands in another file that was imported too',
  used: 'Was used since, such as by a note or a reminder',
  changed: 'Was changed since',
};

/** /console/w/{slug}/import/{id}/stayed */
export async function stayedPage(
  visit: WorkshopVisit,
  { id, workshopId, fileName }: ImportFile,
): Promise<ConsolePage> {
  const { context, base, query } = visit;
  const [kind = '', recordId = ''] = (query['after'] ?? '').split(' ');
  const known = changedKinds.find((each) => each === kind);
  const after = known !== undefined && isId(recordId) ? { kind: known, recordId } : null;
  const stayed = await listStayed(context.db, workshopId, id, { after, limit: listedAtMost });
  await countShown(visit, [...new Set(stayed.flatMap(({ customerId }) => customerId ?? []))]);
  const last = stayed.at(-1);
  const next =
    stayed.length < listedAtMost || last === undefined
      ? null
      : `${base}/import/${id}/stayed?${new URLSearchParams({ after: `${last.kind} ${last.recordId}` })}`;
  return {
    title: 'What stayed',
    current: 'More',
    isWide: true,
    main: html`<p><a href="${base}/import/${id}"><bdi>${fileName || 'The file'}</bdi></a></p><h1>What stayed</h1><p class="quiet">Listed for a day after the import was taken back.</p>${table(
      {
        head: ['What', 'Customer', 'Why'],
        rows: stayed.map((each) => rowOf(visit, each)),
        next,
        empty: 'Nothing, or the list is too old.',
      },
    )}`,
  };
}

function rowOf({ base, workshop }: WorkshopVisit, each: Stayed) {
  const { kind, recordId, stays, customerId, customerName, rego, code } = each;
  const what =
    kind === 'booking'
      ? html`<a href="${base}/bookings/${recordId}">Booking ${code ?? ''}</a>`
      : kind === 'car'
        ? html`Car <bdi>${rego ?? 'without a registration'}</bdi>`
        : 'Customer';
  return [
    what,
    customerId === null
      ? 'gone since'
      : html`<a href="${base}/customers/${customerId}">${nameShown(customerName, workshop)}</a>`,
    reasons[stays as Stays],
  ];
}
