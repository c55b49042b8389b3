/** Wire shapes of automations and their runs (areas, section 9). */
import { type Static, Type } from 'typebox';
import { serviceCategories } from '#catalogue/categories.ts';
import { anyText, nullable, optional, out, phone, ref, text } from '#http/fields.ts';
import { exampleIds } from '#http/openapi-examples.ts';

export const triggerTypes = [
  ...(['manual', 'bookingCreated', 'bookingConfirmed', 'bookingCompleted', 'bookingCancelled'] as const),
  ...(['beforeBooking', 'callMissed', 'reminderSent'] as const),
] as const;
export type TriggerType = (typeof triggerTypes)[number];

export const automationStatuses = ['active', 'paused'] as const;
export type AutomationStatus = (typeof automationStatuses)[number];

export const runStatuses = ['scheduled', 'sent', 'failed', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const Conditions = Type.Object(
  {
    serviceCategories: Type.Optional(
      Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...serviceCategories] }), {
        description: 'The booking is for one of these categories.',
      }),
    ),
    minDaysSinceLastBooking: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_500,
        description:
          "So many days have passed since the customer's last other booking, when the text is due.",
      }),
    ),
  },
  { $id: 'AutomationConditions', description: 'Conditions, which hold all together; without any, always.' },
);
export type Conditions = Static<typeof Conditions>;

const QuietHours = Type.Object(
  {
    from: out.string({ description: 'Local.', examples: ['20:00'] }),
    to: out.string({ description: 'Local.', examples: ['08:00'] }),
  },
  { $id: 'QuietHours', description: 'Local times between which nothing is sent.' },
);

export const Automation = Type.Object(
  {
    id: out.uuid({ examples: [exampleIds.automation] }),
    name: out.string({ examples: ['Thank you'] }),
    trigger: Type.Object(
      {
        type: Type.Unsafe<TriggerType>({ type: 'string', enum: [...triggerTypes] }),
        offsetMinutes: out.integer({
          description: 'Minutes after what triggers it; of `beforeBooking`, before the booking.',
          examples: [120],
        }),
      },
      { $id: 'AutomationTrigger', description: 'When the text is due.' },
    ),
    conditions: ref(Conditions),
    templateId: out.uuid({ examples: [exampleIds.template] }),
    quietHours: Type.Union([ref(QuietHours), Type.Null()], { description: 'Null: it is sent at any time.' }),
    status: Type.Unsafe<AutomationStatus>({ type: 'string', enum: [...automationStatuses] }),
    createdAt: out.instant(),
    updatedAt: out.instant(),
  },
  { $id: 'Automation', description: 'A text that is sent by itself when something happens.' },
);
export type Automation = Static<typeof Automation>;

export const TriggerAutomationBody = Type.Object(
  {
    customerId: optional(anyText({ description: 'The customer; when it is omitted, `phone` is used.' })),
    phone: optional(phone({ description: 'Finds or makes the customer when `customerId` is omitted.' })),
    bookingId: optional(anyText({ description: "One of the customer's bookings that you made." })),
    referenceId: optional(
      text({
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
    id: out.uuid({ examples: [exampleIds.run] }),
    automationId: out.uuid({ examples: [exampleIds.automation] }),
    customerId: out.uuid({ examples: [exampleIds.customer] }),
    bookingId: nullable(out.uuid()),
    referenceId: nullable(out.string()),
    status: Type.Unsafe<RunStatus>({ type: 'string', enum: [...runStatuses] }),
    reason: nullable(
      out.string({
        description:
          'Why it was not sent: `paused`, `conditions`, `tooLate`, `bookingCancelled`, `bookingMoved`, `bookingCompleted`, ' +
          '`templateUnpublished`, `notPermitted`, `optedOut`, `erased`, `restored`, or the reason of a message.',
      }),
    ),
    dueAt: out.instant(),
    sentAt: nullable(out.instant()),
    messageId: nullable(out.uuid()),
  },
  { $id: 'AutomationRun', description: 'One text of an automation to one customer.' },
);
export type AutomationRun = Static<typeof AutomationRun>;

export const RunAnswer = Type.Object(
  { success: Type.Literal(true), run: ref(AutomationRun) },
  { $id: 'RunAnswer', description: 'The run.' },
);

export const automationComponents = [
  ...[Conditions, QuietHours, Automation, TriggerAutomationBody, AutomationRun, RunAnswer],
];
