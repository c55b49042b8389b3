/** Wire shapes of automations and their runs. */
import { type Static, Type } from 'typebox';
import {
  anyText,
  nullable,
  nullableRef,
  optional,
  optionalPhone,
  out,
  ref,
  times,
  word,
} from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';
import { messageReasons } from '#product/messaging/schema.ts';

export const triggerTypes = [
  ...(['manual', 'bookingCreated', 'bookingConfirmed', 'bookingCompleted', 'bookingCancelled'] as const),
  ...(['beforeBooking', 'callMissed', 'reminderSent'] as const),
] as const;
export type TriggerType = (typeof triggerTypes)[number];

export const automationStatuses = ['active', 'paused'] as const;
export type AutomationStatus = (typeof automationStatuses)[number];

export const runStatuses = ['scheduled', 'sent', 'failed', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Why a run was not sent: reasons of runs, then those of messages. */
export const runReasons = [
  ...(['paused', 'conditions', 'tooLate', 'bookingCancelled', 'bookingMoved', 'bookingCompleted'] as const),
  ...(['templateUnpublished', 'notPermitted', 'restored'] as const),
  ...messageReasons,
] as const;

export const Conditions = Type.Object(
  {
    serviceCategories: Type.Optional(
      Type.Array(word<string>(serviceCategories), {
        description: 'The booking is for one of these categories.',
      }),
    ),
    minDaysSinceLastBooking: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_500,
        description:
          "That number of days has passed since the customer's last other booking, when the text is due.",
      }),
    ),
  },
  { $id: 'AutomationConditions', description: 'Conditions, which hold all together; without any, always.' },
);
export type Conditions = Static<typeof Conditions>;

const QuietHours = Type.Object(
  {
    from: out.string({ description: 'Local: `HH:MM`.', examples: ['20:00'] }),
    to: out.string({ description: 'Local: `HH:MM`.', examples: ['08:00'] }),
  },
  { $id: 'QuietHours', description: 'Local times between which nothing is sent.' },
);

export const Automation = Type.Object(
  {
    id: out.uuid({ description: 'The automation, to trigger it.', examples: [exampleIds.automation] }),
    name: out.string({ description: 'What the workshop calls it.', examples: ['Thank you'] }),
    trigger: Type.Object(
      {
        type: word(triggerTypes, { description: 'What triggers it; `manual`: nothing but a call.' }),
        offsetMinutes: out.integer({
          description: 'Minutes after what triggers it; of `beforeBooking`, before the booking.',
          examples: [120],
        }),
      },
      { $id: 'AutomationTrigger', description: 'When the text is due.' },
    ),
    conditions: ref(Conditions),
    templateId: out.uuid({ description: 'The template of its text.', examples: [exampleIds.template] }),
    quietHours: nullableRef(QuietHours, 'Null: it is sent at any time.'),
    status: word(automationStatuses, { description: 'A paused one sends nothing.' }),
    ...times,
  },
  { $id: 'Automation', description: 'A text that is sent by itself when something happens.' },
);
export type Automation = Static<typeof Automation>;

export const TriggerAutomationBody = Type.Object(
  {
    customerId: optional(anyText({ description: 'The customer; when it is omitted, `phone` is used.' })),
    phone: optionalPhone({ description: 'Finds or makes the customer when `customerId` is omitted.' }),
    bookingId: optional(anyText({ description: "One of the customer's bookings that you made." })),
    referenceId: optional(
      anyText({
        description: 'Your key: for one customer the same one answers the same run.',
        examples: ['thanks-1001'],
      }),
    ),
  },
  { $id: 'TriggerAutomationBody', description: 'For whom, and about which booking.' },
);
export type TriggerAutomationBody = Static<typeof TriggerAutomationBody>;

export const AutomationRun = Type.Object(
  {
    id: out.uuid({ description: "The run's reference.", examples: [exampleIds.run] }),
    automationId: out.uuid({ description: 'The automation.', examples: [exampleIds.automation] }),
    customerId: out.uuid({ description: 'Who gets the text.', examples: [exampleIds.customer] }),
    bookingId: nullable(out.uuid('The booking that it is about.')),
    referenceId: nullable(out.string('The referenceId of the request.')),
    status: word(runStatuses, { description: '`skipped`: it was not to be sent; `reason` says why.' }),
    reason: nullable(
      word(runReasons, { description: 'Why it was not sent; those of a message after its own.' }),
    ),
    dueAt: out.instant('When it is sent, at the earliest.'),
    sentAt: nullable(out.instant('When it was sent; null before.')),
    messageId: nullable(out.uuid('The message that was sent; null before.')),
  },
  { $id: 'AutomationRun', description: 'One text of an automation to one customer.' },
);
export type AutomationRun = Static<typeof AutomationRun>;

export const RunAnswer = Type.Object(
  { success: out.success(true), run: ref(AutomationRun) },
  { $id: 'RunAnswer', description: 'The run.' },
);

export const automationComponents = [
  ...[Conditions, QuietHours, Automation, TriggerAutomationBody, AutomationRun, RunAnswer],
];
