/** House rules about the pages that list things: every record, every background job and every consequence of an event is on its page. */
import { finding, type Rule } from './rule.ts';
import { isProduct, type SourceFile } from './source.ts';

function page(files: readonly SourceFile[], path: string): { has(name: string): boolean } {
  const file = files.find((candidate) => candidate.path === path);
  const words = new Set(file?.code.match(/\w+/g));
  const texts = new Set(file?.literals.map(({ text }) => text));
  return { has: (name) => words.has(name) || texts.has(name) };
}

/** A handler by its shape: `export async function sendNotice(ctx: Context, payload: unknown): Promise<void>`. */
const handler =
  /\bexport\s+(?:async\s+)?(?:function\s+(\w+)\s*\(\s*\w+\s*:\s*Context\s*,\s*\w+\s*:\s*unknown\s*\)|const\s+(\w+)\s*:\s*JobHandler\b)/g;
/** Where a job is named: `{ job: 'sendNotice' }`, `const sendJob = 'sendNotice'`. */
const namesJob = /(?:\bjob\s*:|\b\w*[jJ]ob\s*=)\s*$/;

const jobsListed: Rule = {
  name: 'every job is listed in work.ts',
  instead:
    'register the handler, under the name that jobs are added with, in src/work.ts, the page of all background work',
  find: (files) => {
    const work = page(files, 'src/work.ts');
    return files.filter(isProduct).flatMap((file) => {
      const handlers = [...file.code.matchAll(handler)].map((match) => ({
        name: match[1] ?? match[2] ?? '',
        at: match.index,
      }));
      const named = file.literals
        .filter(({ at }) => namesJob.test(file.code.slice(0, at)))
        .map(({ text, at }) => ({ name: text, at }));
      return [...handlers, ...named]
        .filter(({ name }) => !work.has(name))
        .map(({ name, at }) => finding(file, at, `${name} is not in src/work.ts`));
    });
  },
  bad: [
    {
      'src/work.ts': 'export const jobs = {};',
      'src/product/notifications/send.ts':
        'export async function send(ctx: Context, payload: unknown): Promise<void> {}',
    },
    {
      'src/work.ts': 'export const jobs = {};',
      'src/product/notifications/send.ts': 'export const send: JobHandler = async () => {};',
    },
    {
      'src/work.ts': 'export const jobs = { send };',
      'src/product/notifications/plan.ts': "return { job: 'sent', payload };",
    },
    {
      'src/work.ts': 'export const jobs = { send };',
      'src/product/notifications/plan.ts': "const sendJob = 'sent';",
    },
  ],
  good: [
    {
      'src/work.ts': 'export const jobs = { send };',
      'src/product/notifications/send.ts':
        'export async function send(ctx: Context, payload: unknown): Promise<void> {}',
      'src/product/notifications/plan.ts': "const sendJob = 'send'; const other = 'sent';",
    },
  ],
};

const kind = /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/;
/** The lists in TypeScript that name kinds. */
const listsKinds = /^src\/.*\/(?:record|events)\.ts$/;

const eventsListed: Rule = {
  name: 'every event kind is listed in reactions.ts',
  instead: 'say in src/reactions.ts what follows from it, an empty list when nothing does',
  find: (files) => {
    const reactions =
      files.find((file) => file.path === 'src/reactions.ts')?.literals.map(({ text }) => text) ?? [];
    const listed = new Set(reactions.filter((text) => kind.test(text)));
    const nouns = [...listed].map((text) => text.split('.')[0]).join('|');
    // In SQL other texts may look like a kind, so there only those of a known noun count.
    const inSql = new RegExp(`'((?:${nouns})\\.[a-zA-Z]+)'`, 'g');
    return files.filter(isProduct).flatMap((file) =>
      file.literals
        .flatMap(({ text, at }) => {
          if (listsKinds.test(file.path)) return kind.test(text) ? [{ name: text, at }] : [];
          return [...text.matchAll(inSql)].map((match) => ({ name: match[1] ?? '', at }));
        })
        .filter(({ name }) => !listed.has(name))
        .map(({ name, at }) => finding(file, at, `${name} is not in src/reactions.ts`)),
    );
  },
  bad: [
    {
      'src/reactions.ts': 'export const reactions = {};',
      'src/product/bookings/events.ts': "export const created = 'booking.created';",
    },
    {
      'src/reactions.ts': "export const reactions = { 'booking.created': [] };",
      'src/product/bookings/store.ts': "const sql = `SELECT $1, 'booking.moved'`;",
    },
  ],
  good: [
    {
      'src/reactions.ts': "export const reactions = { 'booking.created': [] };",
      'src/product/bookings/events.ts': "const created = 'booking.created';",
      'src/product/bookings/store.ts':
        "const sql = `SELECT $1, 'booking.created', 'pending', 'person.phone'`;",
    },
  ],
};

/** A declaration: `export const quoteRecord: RecordType<Quote> = {`. */
const declaration = /\bexport\s+const\s+(\w+)\s*:\s*RecordType\b/g;

const recordsListed: Rule = {
  name: 'every record is listed in records.ts',
  instead: 'add it to the list of src/records.ts: what goes over all records knows it from there',
  find: (files) => {
    const records = page(files, 'src/records.ts');
    return files
      .filter(isProduct)
      .flatMap((file) =>
        [...file.code.matchAll(declaration)]
          .filter(([, name = '']) => !records.has(name))
          .map(({ 1: name, index }) => finding(file, index, `${name} is not in src/records.ts`)),
      );
  },
  bad: [
    {
      'src/records.ts': 'export const records = [bookingRecord];',
      'src/product/quotes/record.ts': 'export const quoteRecord: RecordType<Quote> = { name };',
    },
  ],
  good: [
    {
      'src/records.ts': 'export const records = [quoteRecord];',
      'src/product/quotes/record.ts': 'export const quoteRecord: RecordType<Quote> = { name };',
    },
  ],
};

export const pageRules: readonly Rule[] = [recordsListed, jobsListed, eventsListed];
