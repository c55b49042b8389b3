/** `pitlane sms …`: what a text would be as an SMS. */
import type { Command } from 'commander';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

interface PreviewOptions {
  readonly text?: string;
  readonly template?: string;
  readonly customer?: string;
  readonly booking?: string;
}

export function registerSms(program: Command): void {
  const examples = [
    'sms preview --text "Your car is ready."',
    'sms preview --template 0198c6a4-… --booking 0198c6a7-…',
  ];
  const sms = group(program, 'sms', 'texts as carriers count them', examples);
  const preview = {
    usage: 'preview',
    summary: 'show segments, encoding and room left of a text, or of a template filled in; sends nothing',
    examples,
  };
  verb<PreviewOptions>(sms, preview, async (_, { text, template, customer, booking }) => {
    if ((text === undefined) === (template === undefined)) {
      throw new UsageError('give either --text or --template');
    }
    if (text !== undefined && (customer !== undefined || booking !== undefined)) {
      throw new UsageError('--customer and --booking go with --template');
    }
    const { previewTemplate, previewText } = await import('#messaging/preview/preview.ts');
    const shown =
      template === undefined
        ? previewText(text ?? '')
        : await withSession(({ db }) =>
            previewTemplate(db, {
              templateId: template,
              ...(customer === undefined ? {} : { customerId: customer }),
              ...(booking === undefined ? {} : { bookingId: booking }),
            }),
          );
    return { json: shown, text: details({ ...shown }) };
  })
    .option('--text <text>', 'the text as it is')
    .option('--template <id>', 'a template in place of a text, published or not')
    .option('--customer <id>', 'whom the template is filled with')
    .option('--booking <id>', 'which booking, with its customer and car, the template is filled with');
}
