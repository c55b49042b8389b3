/** `pitlane template …`: the texts of messages and notices. */
import type { Command } from 'commander';
import type { Template } from '#templates/store.ts';
import { details, note, table } from './output.ts';
import { withSession } from './session.ts';
import { group, verb } from './verb.ts';

const create = {
  usage: 'create',
  summary: 'create a template, as a draft',
  examples: [
    `template create --workshop 0198c6a3-… --name "Ready" --body "Hi {{ customer.firstName }}, your {{ car.make }} is ready."`,
    `template create --workshop 0198c6a3-… --name "Booked" --purpose bookingCreated.customer.sms --body "Booked: {{ booking.dateTime }}"`,
  ],
};

interface CreateOptions {
  readonly workshop: string;
  readonly name: string;
  readonly body: string;
  readonly purpose?: string;
  readonly subject?: string;
}

export function registerTemplate(program: Command): void {
  const examples = ['template list --workshop 0198c6a3-…', 'template publish 0198c6a4-…'];
  const template = group(program, 'template', 'texts of messages and notices', examples);

  verb<CreateOptions>(template, create, (_, { workshop, ...input }) =>
    withSession(async ({ db, clock }) => {
      const { createTemplate } = await import('#templates/create.ts');
      const { unknown, warnings, ...made } = await createTemplate(db, clock, {
        workshopId: workshop,
        ...input,
      });
      if (unknown.length > 0) note(`There is no value for ${unknown.join(', ')}: that will render empty.`);
      for (const warning of warnings) note(`Warning: ${warning}.`);
      note(`It is a draft: publish it with pitlane template publish ${made.templateId}`);
      return { json: made, text: details(made) };
    }),
  )
    .requiredOption('--workshop <id>', 'the workshop that it belongs to (required)')
    .requiredOption('--name <name>', 'what people call it (required)')
    .requiredOption('--body <text>', 'Liquid, with customer.*, workshop.*, booking.* and car.* (required)')
    .option(
      '--purpose <purpose>',
      'inbox (the default), or a notice: <event>.<customer|workshop>.<sms|email>',
    )
    .option('--subject <text>', 'of an e-mail notice; Liquid too');

  const publish = {
    usage: 'publish <template>',
    summary: 'put a template into use; a notice has one text, the new one takes its place',
    examples: ['template publish 0198c6a4-…'],
  };
  verb(template, publish, ([templateId = '']) =>
    withSession(async ({ db, clock }) => {
      const { publishTemplate } = await import('#templates/publish.ts');
      const published = await publishTemplate(db, clock, templateId);
      for (const id of published.replaced) note(`Template ${id} is a draft again.`);
      return statusAnswer(published.template);
    }),
  );

  const unpublish = {
    usage: 'unpublish <template>',
    summary: 'make a template a draft again',
    examples: ['template unpublish 0198c6a4-…'],
  };
  verb(template, unpublish, ([templateId = '']) =>
    withSession(async ({ db, clock }) => {
      const { unpublishTemplate } = await import('#templates/publish.ts');
      return statusAnswer(await unpublishTemplate(db, clock, templateId));
    }),
  );

  const list = {
    usage: 'list',
    summary: 'list the templates of a workshop',
    examples: ['template list --workshop 0198c6a3-…'],
  };
  verb<{ workshop: string }>(template, list, (_, { workshop }) =>
    withSession(async ({ db }) => {
      const { requireWorkshop } = await import('#workshops/require.ts');
      const { listTemplates } = await import('#templates/store.ts');
      const templates = await listTemplates(db, (await requireWorkshop(db, workshop)).workshopId);
      return { json: templates.map(named), text: table(templates, columns) };
    }),
  ).requiredOption('--workshop <id>', 'the workshop (required)');
}

/** The name that `template create` gives the id. */
function named({ id, ...rest }: Template) {
  return { templateId: id, ...rest };
}

function statusAnswer(template: Template) {
  const { id: templateId, status } = template;
  const text = `template ${templateId} is ${status === 'draft' ? 'a draft' : status}`;
  return { json: { templateId, status }, text };
}

const columns = {
  TEMPLATE: (row: Template) => row.id,
  NAME: (row: Template) => row.name,
  PURPOSE: (row: Template) => row.purpose,
  STATUS: (row: Template) => row.status,
  'NEEDS BOOKING': (row: Template) => row.requiresBooking,
  BODY: (row: Template) => (row.body.length > 60 ? `${row.body.slice(0, 59)}…` : row.body),
};
