/** An event with the data that its notices are rendered from. */
import type { TemplateWorkshop } from '#product/bookings/template-variables.ts';
import type { CarriedLogo } from '#product/workshops/logo/store.ts';

/** The workshop of a notice (`workshopJson`): the values for its texts, and the look of its e-mails. */
export interface NoticeWorkshop extends TemplateWorkshop {
  /** `#rrggbb`; null: the default. */
  readonly colour: string | null;
  /** Text after totals; null: none. */
  readonly taxLabel: string | null;
  /** A member of the workshop uses the console: its notices link there. */
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

/** The data that the notices of an event are rendered from. */
export interface NoticeEvent<Payload = object> {
  readonly eventId: string;
  readonly kind: string;
  readonly version: number;
  readonly workshopId: string;
  readonly payload: Payload;
  readonly workshop: NoticeWorkshop;
  readonly templates: readonly NoticeTemplate[];
}

/** The data that a queued e-mail is composed from; its text is stored with the message. */
export interface HandedOver<Payload = object, Present = unknown>
  extends Omit<NoticeEvent<Payload>, 'templates'> {
  readonly present: Present;
  /** The workshop's, for an e-mail to a customer; null: none that goes into one. */
  readonly logo: CarriedLogo | null;
}
