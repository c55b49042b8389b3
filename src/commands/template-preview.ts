/** `pitlane template preview`: a template as it will be sent. */
import type { Command } from 'commander';
import type { TemplatePreview } from '#product/messaging/from-template/preview.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

interface PreviewOptions {
  readonly version?: string;
  readonly customer?: string;
  readonly booking?: string;
}

export function registerTemplatePreview(template: Command): void {
  const preview = {
    usage: 'preview <template>',
    summary:
      'show a template filled with sample values, a customer or a booking, and its segments; sends nothing',
    examples: ['template preview 0198c6a4-…', 'template preview 0198c6a4-… --version 1 --booking 0198c6a7-…'],
  };
  verb<PreviewOptions>(template, preview, ([templateId = ''], { version, customer, booking }) => {
    if (version !== undefined && !/^[1-9]\d{0,8}$/.test(version))
      throw new UsageError('--version must be a whole number, from 1');
    return withSession(async ({ db }) => {
      const { previewTemplate } = await import('#product/messaging/from-template/preview.ts');
      const shown = await previewTemplate(db, templateId, {
        ...(version === undefined ? {} : { version: Number(version) }),
        ...(customer === undefined ? {} : { customerId: customer }),
        ...(booking === undefined ? {} : { bookingId: booking }),
      });
      return { json: shown, text: textOf(shown) };
    });
  })
    .option('--version <number>', 'an earlier version; the present one unless given')
    .option('--customer <id>', 'whom it is filled with, in place of sample values')
    .option('--booking <id>', 'which booking, with its customer and car, it is filled with');
}

/** The text as it is, then how it counts, and a line for each warning. */
function textOf({ subject, text, sms, warnings, ...shown }: TemplatePreview): string {
  const { parts = [], ...measure } = sms ?? {};
  const cut = parts.length > 1 ? parts.map((part, index) => details({ [`part ${index + 1}`]: part })) : [];
  return [
    ...(subject === null ? [] : [subject, '']),
    text,
    '',
    details({ ...shown, ...measure }),
    ...cut,
    ...warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n');
}
