/** `pitlane template …`: the texts of messages and notices. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { WrittenTemplate } from '#product/templates/create.ts';
import type { Template, TemplateVersion } from '#product/templates/store.ts';
import type { Texts } from '#product/templates/texts.ts';
import { details, note } from './output.ts';
import { readPage } from './paging.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { registerTemplatePreview } from './template-preview.ts';
import { at } from './times.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

interface CreateOptions extends Texts {
  readonly workshop?: string;
  readonly name: string;
  readonly body: string;
  readonly purpose?: string;
}

export function registerTemplate(program: Command): void {
  const template = group(program, 'template', 'texts of messages and notices', [
    'template list --workshop carlton-motors',
    'template preview 0198c6a4-…',
    'template publish 0198c6a4-…',
  ]);
  registerCreate(template);
  registerUpdate(template);
  registerTemplatePreview(template);
  registerStatus(template);
  registerLists(template);
}

const bodyHelp = 'Liquid, with customer.*, workshop.*, booking.* and car.*';

function registerCreate(template: Command): void {
  const create = {
    usage: 'create',
    summary: 'create a template, as a draft',
    examples: [
      `template create --workshop carlton-motors --name "Ready" --body "Hi {{ customer.firstName }}, your {{ car.make }} is ready."`,
      `template create --workshop carlton-motors --name "Booked" --purpose bookingCreated.customer.sms --body "Booked: {{ booking.dateTime }}"`,
    ],
  };
  const created = verb<CreateOptions>(template, create, (_, { workshop, name, body, purpose, subject }) =>
    withSession(async (session) => {
      const { workshopId } = await workshopOf(session, workshop);
      const { createTemplate } = await import('#product/templates/create.ts');
      const texts = { name, body, ...(subject === undefined ? {} : { subject }) };
      const of = { workshopId, ...(purpose === undefined ? {} : { purpose }) };
      const made = await createTemplate(session, { ...of, ...texts }, actors.operator);
      note(`It is a draft: publish it with pitlane template publish ${made.templateId}`);
      return written(made);
    }),
  );
  withWorkshop(created, 'the workshop that it belongs to')
    .requiredOption(
      '--name <name>',
      'what people call it; no other template of the workshop has it (required)',
    )
    .requiredOption('--body <text>', `${bodyHelp} (required)`)
    .option(
      '--purpose <purpose>',
      'inbox (the default), or a notice: <event>.<customer|workshop>.<sms|email>',
    )
    .option('--subject <text>', 'of an e-mail notice; Liquid too');
}

function registerUpdate(template: Command): void {
  const update = {
    usage: 'update <template>',
    summary: 'change the texts of a template: a new version; a published one is sent so from now on',
    examples: [
      `template update 0198c6a4-… --body "Hi {{ customer.firstName }}, your {{ car.rego }} is ready."`,
    ],
  };
  verb<Texts>(template, update, ([templateId = ''], { name, body, subject }) => {
    const given = Object.entries({ name, body, subject }).filter(([, text]) => text !== undefined);
    if (given.length === 0) throw new UsageError('give at least one of --name, --body and --subject');
    return withSession(async ({ db, clock }) => {
      const { updateTemplate } = await import('#product/templates/update.ts');
      return written(
        await updateTemplate({ db, clock }, templateId, Object.fromEntries(given), actors.operator),
      );
    });
  })
    .option('--name <name>', 'what people call it')
    .option('--body <text>', bodyHelp)
    .option('--subject <text>', 'of an e-mail notice; Liquid too; an empty one makes way for the default');
}

function registerStatus(template: Command): void {
  const publish = {
    usage: 'publish <template>',
    summary: 'put a template into use; a notice has one text, the new one takes its place',
    examples: ['template publish 0198c6a4-…'],
  };
  verb(template, publish, ([templateId = '']) =>
    withSession(async ({ db, clock }) => {
      const { publishTemplate } = await import('#product/templates/publish.ts');
      const published = await publishTemplate({ db, clock }, templateId, actors.operator);
      for (const id of published.replaced) note(`Template ${id} is a draft again.`);
      return statusResult(published.template);
    }),
  );

  const unpublish = {
    usage: 'unpublish <template>',
    summary: 'make a template a draft again',
    examples: ['template unpublish 0198c6a4-…'],
  };
  verb(template, unpublish, ([templateId = '']) =>
    withSession(async ({ db, clock }) => {
      const { unpublishTemplate } = await import('#product/templates/publish.ts');
      return statusResult(await unpublishTemplate({ db, clock }, templateId, actors.operator));
    }),
  );
}

function registerLists(template: Command): void {
  const list = {
    usage: 'list',
    summary: 'list the templates of a workshop',
    examples: ['template list --workshop carlton-motors'],
  };
  const listed = verb<{ workshop?: string }>(template, list, (_, { workshop }) =>
    withSession(async (session) => {
      const { listTemplates } = await import('#product/templates/store.ts');
      const templates = await listTemplates(session.db, (await workshopOf(session, workshop)).workshopId);
      return { json: templates.map(named), text: table(templates, columns) };
    }),
  );
  withWorkshop(listed);

  const versions = {
    usage: 'versions <template>',
    summary:
      'list the versions of a template with their texts, the latest first; a message names the one that it was sent with',
    examples: ['template versions 0198c6a4-…'],
    times: true,
  };
  verb<{ limit?: string }>(template, versions, ([templateId = ''], options) => {
    const { limit } = readPage(options);
    return withSession(async ({ db }) => {
      const { requireTemplate } = await import('#product/templates/store.ts');
      const { listVersions } = await import('#product/templates/store.ts');
      const { requireWorkshop } = await import('#product/workshops/store.ts');
      const { id, workshopId } = await requireTemplate(db, templateId);
      const { timezone } = await requireWorkshop(db, workshopId);
      const rows = await listVersions(db, id, limit);
      return { json: rows, text: table(rows, versionColumns(timezone)) };
    });
  }).option('--limit <number>', 'how many at most, 1 to 1000; 50 unless given');
}

function written(made: WrittenTemplate) {
  for (const warning of made.warnings) note(`Warning: ${warning}`);
  if (made.warnings.length > 0)
    note(`Its text is changed by pitlane template update ${made.templateId} --body …`);
  const { templateId, version } = made;
  return { json: made, text: details({ templateId, version }) };
}

/** The name that `template create` gives the id. */
function named({ id, ...rest }: Template) {
  return { templateId: id, ...rest };
}

function statusResult(template: Template) {
  const { id: templateId, status } = template;
  const text = `template ${templateId} is ${status === 'draft' ? 'a draft' : status}`;
  return { json: { templateId, status }, text };
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const columns = {
  TEMPLATE: (row: Template) => row.id,
  NAME: (row: Template) => row.name,
  PURPOSE: (row: Template) => row.purpose,
  STATUS: (row: Template) => row.status,
  VERSION: (row: Template) => row.version,
  'NEEDS BOOKING': (row: Template) => row.requiresBooking,
  BODY: (row: Template) => short(row.body),
};

const versionColumns = (timezone: string) => ({
  VERSION: (row: TemplateVersion) => row.version,
  AT: (row: TemplateVersion) => at(row.createdAt, timezone),
  NAME: (row: TemplateVersion) => row.name,
  'NEEDS BOOKING': (row: TemplateVersion) => row.requiresBooking,
  SUBJECT: (row: TemplateVersion) => row.subject,
  BODY: (row: TemplateVersion) => row.body,
});
