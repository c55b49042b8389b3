/** `pitlane sms …`: shows a text as an SMS. */
import type { Command } from 'commander';
import type { SmsPreview } from '#product/messaging/preview.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

interface PreviewOptions {
  readonly text?: string;
  readonly template?: string;
  readonly notice?: string;
  readonly customer?: string;
  readonly booking?: string;
  readonly about?: string;
}

export function registerSms(program: Command): void {
  const examples = [
    'sms preview --text "Your car is ready."',
    'sms preview --template 0198c6a4-… --booking 0198c6a7-…',
    'sms preview --notice bookingCreated.customer.sms --booking 0198c6a7-…',
    'sms preview --notice quoteQuoted.customer.sms --about 0198c6a9-…',
  ];
  const sms = group(program, 'sms', 'texts as carriers count them', examples);
  const preview = {
    usage: 'preview',
    summary: 'show segments, encoding and links of a text, a template or a notice; sends nothing',
    examples,
  };
  verb<PreviewOptions>(sms, preview, async (_, options) => {
    const shown = await previewOf(options);
    return { json: shown, text: textOf(shown) };
  })
    .option('--text <text>', 'the text as it is')
    .option('--template <id>', 'a template in place of a text, published or not')
    .option('--notice <name>', "a notice, such as bookingCreated.customer.sms, in the workshop's own text")
    .option('--about <id>', 'what the notice tells of: the booking, or the quote of quoteQuoted.customer.sms')
    .option('--customer <id>', 'whom the template is filled with')
    .option(
      '--booking <id>',
      'which booking, with its customer and car, the template or notice is filled with',
    );
}

async function previewOf(options: PreviewOptions): Promise<SmsPreview> {
  const { text, template, notice, customer, booking, about } = options;
  if ([text, template, notice].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError('give one of --text, --template and --notice');
  }
  if (customer !== undefined && template === undefined)
    throw new UsageError('--customer goes with --template');
  if (about !== undefined && notice === undefined) throw new UsageError('--about goes with --notice');
  if (text !== undefined) {
    if (booking !== undefined) throw new UsageError('--booking goes with --template or --notice');
    if (text.trim() === '') throw new UsageError('--text must not be blank');
    const { previewText } = await import('#product/messaging/preview.ts');
    return previewText(text);
  }
  if (notice !== undefined) {
    if (about !== undefined && booking !== undefined)
      throw new UsageError('give one of --about and --booking');
    const recordId = about ?? booking;
    if (recordId === undefined)
      throw new UsageError('--notice needs a --booking to speak of, or --about with the id of a quote');
    const { previewNotice } = await import('#product/notifications/preview.ts');
    return withSession((session) => previewNotice(session, notice, recordId));
  }
  const { previewTemplate } = await import('#product/messaging/from-template/preview.ts');
  const filled = await withSession(({ db }) =>
    previewTemplate(db, template ?? '', {
      ...(customer === undefined ? {} : { customerId: customer }),
      ...(booking === undefined ? {} : { bookingId: booking }),
    }),
  );
  if (filled.sms === null) throw new UsageError('the text of an e-mail is shown by pitlane template preview');
  const { sms, text: filledText, sample, warnings } = filled;
  const samples =
    sample.length === 0 ? [] : [`${sample.join(', ')}: sample values; name a --customer or --booking`];
  return { ...sms, text: filledText, warnings: [...samples, ...warnings] };
}

/** Shows the parts when there are several, and a line for each warning. */
function textOf({ parts, warnings, ...shown }: SmsPreview): string {
  const cut = parts.length > 1 ? parts.map((part, index) => details({ [`part ${index + 1}`]: part })) : [];
  return [details(shown), ...cut, ...warnings.map((warning) => `Warning: ${warning}.`)].join('\n');
}
