/** Wire shapes of blasts. */
import { type Static, Type } from 'typebox';
import { anyText, instant, nullable, optional, out, ref, times, word } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { Audience } from './audience.ts';

export const blastStatuses = ['draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled'] as const;
export type BlastStatus = (typeof blastStatuses)[number];

const count = (description: string) => out.integer({ description, examples: [0] });

const BlastCounts = Type.Object(
  {
    recipients: count('Fixed when sending begins: waiting, sent, failed, unknown and skipped together.'),
    waiting: count('Not handed over yet, or to be tried again.'),
    sent: count('The carrier has it.'),
    delivered: count('Of those sent: it is on the phone.'),
    failed: count('It was refused, or did not arrive.'),
    unknown: count('It may have arrived. It is not sent again.'),
    skipped: count(
      'Opted out or erased meanwhile, of another country than the workshop, or the blast was cancelled before their turn.',
    ),
  },
  { $id: 'BlastCounts', description: 'How far a blast has come.' },
);

export const Blast = Type.Object(
  {
    id: out.uuid({ description: 'The blast, to trigger it.', examples: [exampleIds.blast] }),
    name: out.string({ description: 'What the workshop calls it.', examples: ['Winter tyres'] }),
    templateId: out.uuid({ description: 'The template of its text.', examples: [exampleIds.template] }),
    audience: ref(Audience),
    status: word(blastStatuses, { description: 'Where it stands.' }),
    scheduledAt: nullable(out.instant({ description: 'When sending begins; null for a draft.' })),
    startedAt: nullable(out.instant({ description: 'When audience and text were fixed.' })),
    endedAt: nullable(out.instant({ description: 'When it was completed or cancelled.' })),
    counts: ref(BlastCounts),
    ...times,
  },
  { $id: 'Blast', description: "One text to many of a workshop's customers." },
);
export type Blast = Static<typeof Blast>;

export const BlastAnswer = Type.Object(
  { success: out.success(true), blast: ref(Blast) },
  { $id: 'BlastAnswer', description: 'The blast.' },
);

export const TriggerBlastBody = Type.Object(
  {
    scheduledAt: optional(instant({ description: 'When sending begins; now when it is absent or past.' })),
    referenceId: optional(
      anyText({
        description: 'Your key: the same one answers the same blast again.',
        examples: ['winter-2030'],
      }),
    ),
  },
  { $id: 'TriggerBlastBody', description: 'All fields are optional.' },
);
export type TriggerBlastBody = Static<typeof TriggerBlastBody>;

export const blastComponents = [Audience, BlastCounts, Blast, BlastAnswer, TriggerBlastBody];
