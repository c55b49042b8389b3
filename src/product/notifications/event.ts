/** An event as its notices are made from it. */
import type { TemplateWorkshop } from '#product/bookings/template-variables.ts';

/** The workshop of a notice (`workshopJson`): what texts say of it, and what its e-mails look like. */
export interface NoticeWorkshop extends TemplateWorkshop {
  /** `#rrggbb`; null: the usual one. */
  readonly colour: string | null;
  /** Said behind totals; null: nothing. */
  readonly taxLabel: string | null;
  /** Somebody of it signs in to the console: its notices lead there. */
  readonly hasConsole: boolean;
}

/** A workshop's own text of a notice. */
export interface NoticeTemplate {
  /** The notice's name. */
  readonly purpose: string;
  readonly subject: string | null;
  readonly body: string;
  readonly id: string;
  readonly version: number;
}

/** What the notices of an event are made from. */
export interface NoticeEvent<Payload = object> {
  readonly eventId: string;
  readonly kind: string;
  readonly version: number;
  readonly workshopId: string;
  readonly payload: Payload;
  readonly workshop: NoticeWorkshop;
  readonly templates: readonly NoticeTemplate[];
}

/** What a queued e-mail is made from; its text is stored with the message. */
export interface HandedOver<Payload = object, Present = unknown>
  extends Omit<NoticeEvent<Payload>, 'templates'> {
  readonly present: Present;
}
