/** Made from openapi.json by `npm run mirrors`, so it is long: the structures and operations of the Pitlane partner API. */
import type { CallOptions } from './client.js';
/** The form of every error. */
export interface ErrorResponse {
    /** Always `false`. */
    success: false;
    /** What kind of refusal it is. Absent on 429. */
    errorCode?: '000001' | '000002' | '000003' | '000004' | '000005' | '000006' | '000007' | '000008' | '000009' | '000010' | '000500' | '010000' | '010001' | '010002' | '010003' | '030001' | '040001' | '050001' | '060001' | '060002' | '060003' | '060004' | '080001' | '080002' | '090001' | '090002' | '100001' | '110001' | '110002' | '120001' | undefined;
    /** For a person: what is wrong and the way out. */
    message: string;
    /** On validation errors: every failing field, the first 100. */
    errors?: {
        /** Its path in the body or the query. */
        field: string;
        /** What is wrong with it. */
        message: string;
    }[] | undefined;
    /** With `060003`: why, in the words of `unavailable` of the availabilities. */
    reason?: 'closed' | 'custom' | 'break' | 'past' | 'leadTime' | 'horizon' | 'serviceLimit' | 'categoryLimit' | 'full' | undefined;
    /** With `060003`: up to three next times, within 14 days, that are free for the same wish. */
    alternatives?: string[] | undefined;
    /**
     * Where this installation says more of the code, and what to do: an address below its public one, or a
     * path.
     */
    help?: string | undefined;
    /** Also in the header X-Request-Id; give it to support. */
    requestId: string;
}
/** A new pair of tokens. */
export interface TokenPair {
    /** The access token. */
    token: string;
    /** The refresh token, valid for 30 days. */
    refreshToken: string;
    /** Seconds that the access token is valid: 172800 (48 hours). */
    expiresIn: number;
}
/** A workshop that you are linked to. */
export interface Workshop {
    /** The `workshopId` of every later call. */
    id: string;
    /** As customers know it. */
    name: string;
    /** Its name in the address of its booking page. */
    slug: string;
    /** ISO 3166 alpha-2. */
    country: string;
    /** Where its clocks are: an IANA name. */
    timezone: string;
    /** E.164. */
    phone: string;
    /** False: everything that writes or sends is refused with 000004. */
    partnerIntegrationEnabled: boolean;
    /** Whether you may text its customers. */
    inboxMessagingEnabled: boolean;
    /** Whether bookings must fit the offered slots. */
    enforceAvailability: boolean;
}
/** A service that a workshop offers. */
export interface CatalogueService {
    /** The `catalogId` of availabilities and of service items. It stays. */
    _id: string;
    /** The workshop's code for it. */
    catalogCode: string;
    /** What customers read. */
    title: string;
    /** What it belongs to. */
    category: 'service' | 'tyres' | 'repair' | 'others';
    /** The price, in the currency of the workshop's country. */
    cost: number | null;
    /** The most that it may cost, in the same currency. */
    maxCost: number | null;
    /** The name of its icon. */
    icon: string | null;
    /** Its colour, as the workshop wrote it. */
    color: string | null;
    /** Bookings of a day; stands in place of its category's. Null: none of its own. */
    dailyLimit: number | null;
    /** Minutes. Null: one slot. */
    durationMinutes: number | null;
}
/** A category of services. */
export interface CatalogueCategory {
    /** The `serviceCategory` of a booking. */
    code: 'service' | 'tyres' | 'repair' | 'others';
    /** What customers read. */
    label: string;
    /** Bookings of a day. Null: no limit. */
    dailyLimit: number | null;
}
/** A service that is wanted. */
export interface ServiceItem {
    /** The service of the catalogue; null: a custom item. */
    catalogId: string | null;
    /** The workshop's code for it, or the one that was sent. */
    catalogCode: string | null;
    /** What customers read. */
    title: string | null;
    /** `service`, `tyres`, `repair` or `others`; of a custom item any text, as it was sent. */
    category: string | null;
    /** The price, in the currency of the workshop's country. */
    cost: number | null;
    /** The most that it may cost, in the same currency. */
    maxCost: number | null;
    /** The name of its icon. */
    icon: string | null;
    /** Its colour. */
    color: string | null;
    /** `catalog`: from the catalogue. `custom`: as it was sent. */
    source: 'catalog' | 'custom';
}
/** A day, and its free times. */
export interface AvailabilityDay {
    /** The local date. */
    date: string;
    /** Whether the workshop opens that day. */
    open: boolean;
    /** Local: `HH:MM`; null when closed. */
    openingTime: string | null;
    /** Local: `HH:MM`; null when closed. */
    closingTime: string | null;
    /** What the workshop says of a custom day. */
    note: string | null;
    /** What can be booked now. */
    slots: {
        /** When the work may begin: the `bookingTime` to send. */
        time: string;
        /** What clocks show at the workshop: `HH:MM`. */
        localTime: string;
        /**
         * How many more bookings of what was asked for fit: the least of the bays left and what daily limits
         * leave.
         */
        remaining: number;
    }[];
    /** When a car can be picked up. */
    pickupTimes: {
        /** When the car can be picked up: the `pickupTime` to send. */
        time: string;
        /** What clocks show at the workshop: `HH:MM`. */
        localTime: string;
    }[];
    /** With `explain=true`: every other time, and why it is not free. */
    unavailable: ({
        /** The time that is not free; null for the whole day. */
        time: string | null;
        /** What clocks show at the workshop: `HH:MM`. */
        localTime: string | null;
        /**
         * The first that applies. `closed`: not open, or the work would not be done by closing time; `custom`:
         * closed or cut by a custom day; `break`; `past`; `leadTime`: too soon; `horizon`: too far ahead;
         * `serviceLimit`, `categoryLimit`: the daily limit is reached; `full`: no bay is left.
         */
        reason: 'closed' | 'custom' | 'break' | 'past' | 'leadTime' | 'horizon' | 'serviceLimit' | 'categoryLimit' | 'full';
    })[];
}
/** A customer's car, as you described it. */
export interface Car {
    /** The car's reference. */
    id: string;
    /** Whose it is. */
    customerId: string;
    /** Registration, in upper case without white space. */
    rego: string;
    /** The year it was made. */
    year: number | null;
    /** Who made it. */
    make: string | null;
    /** The model. */
    model: string | null;
    /** The variant of the model. */
    badge: string | null;
    /** Vehicle identification number. */
    vin: string | null;
}
/** A workshop's customer, with the contact details that you sent. */
export interface Customer {
    /** The `customerId` of a message or a reminder. */
    id: string;
    /** Whose customer it is. */
    workshopId: string;
    /** The full name, as you sent it. */
    name: string;
    /** The first word of the name, without `,`, `;` and `:` at its end. */
    firstName: string | null;
    /** The rest of the name. */
    lastName: string | null;
    /** The e-mail address. */
    email: string | null;
    /** E.164. */
    phone: string | null;
    /** The company. */
    company: string | null;
    /** Street and number. */
    address: string | null;
    /** The postcode. */
    postcode: string | null;
    /** Suburb or town. */
    suburb: string | null;
}
/** A booking of yours. */
export interface Booking {
    /** The booking's reference for every later call. */
    id: string;
    /** Eight characters that people read out on the phone. */
    code: string;
    /** The car. */
    carId: string;
    /** The customer. */
    customerId: string;
    /** The workshop. */
    workshopId: string;
    /** Your own reference. */
    externalId: string | null;
    car: Car;
    customer: Customer;
    /** Where it stands. */
    status: 'pending' | 'confirmed' | 'completed' | 'cancelled';
    /** When the work begins: the `bookingTime` of its creation. */
    date: string;
    /** When the car is to be picked up. */
    pickupTime: string | null;
    /** What kind of work it is. */
    serviceCategory: 'service' | 'tyres' | 'repair' | 'others' | null;
    /** The services wanted, in the order in which they were sent. */
    services: ServiceItem[];
    /** In words of your own. */
    servicePackageType: string | null;
    /** The customer's company. */
    customerCompany: string | null;
    /** What the customer wants the workshop to know. */
    notes: string | null;
    /** As it was sent: it has no unit here. */
    interval: number | null;
    /** Notes on the work. */
    jobNotes: string[];
    /** Notes on parts and products. */
    productNotes: string[];
    /** How many tyres. */
    tyreQuantities: number | null;
    /** Why it was cancelled, where a reason was given. */
    cancelReason: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** The booking as it is now. */
export interface BookingAnswer {
    /** Always `true`. */
    success: true;
    booking: Booking;
}
/** A reminder of the next service. */
export interface ServiceReminder {
    /** The reminder's reference for every later call. */
    id: string;
    /** Eight characters with which the customer books again. */
    code: string;
    /** The car; null where none is known. */
    carId: string | null;
    /** The customer. */
    customerId: string;
    /** The workshop. */
    workshopId: string;
    /** The first catalogue service of the last booking. */
    lastServiceId: string | null;
    /** The booking that it follows. */
    lastBookingId: string | null;
    /** The booking that was made with the code. */
    newBookingId: string | null;
    /** Your own reference. */
    externalId: string | null;
    /** The car; null where none is known. */
    car: Car | null;
    customer: Customer;
    /** Where it stands. */
    status: 'scheduled' | 'sent' | 'failed' | 'booked' | 'cancelled';
    /** When it was or is to be sent: the `sendAt` that lies ahead, else when it was made. */
    dueDate: string;
    /** When it was sent; null before. */
    sentAt: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** The reminder, and the outcome of its SMS: null while it is scheduled. */
export interface SentReminderAnswer {
    /** Whether the SMS was sent; true for one that is scheduled. */
    success: boolean;
    serviceReminder: ServiceReminder;
    /** The outcome of its SMS; null while it is scheduled. */
    sms: SmsOutcome | null;
}
/** The reminder as it is now. */
export interface ReminderAnswer {
    /** Always `true`. */
    success: true;
    serviceReminder: ServiceReminder;
}
/** A call to a workshop. */
export interface CallLead {
    /** The call's reference for every later call. */
    id: string;
    /** The workshop that was called. */
    workshopId: string;
    /**
     * The customer of the workshop with this phone. It is shown to a partner that has a booking, a quote,
     * a service reminder or a message of its own with the customer, and is null to others, in answers,
     * lists and webhooks alike: a call may be registered for any phone, and costs nothing, so it would
     * tell whose customers the other partners have. Staff see it always.
     */
    customerId: string | null;
    /**
     * The first booking that you made for the customer whose `createdAt` lies from `calledAt` to 30 days
     * after it, whatever its status is by now: bookings of other partners, and the workshop's own, are not
     * disclosed.
     */
    bookingId: string | null;
    /** Your own reference. */
    externalId: string | null;
    /** E.164; null once the person was erased. */
    callerPhone: string | null;
    /** When the call began. */
    calledAt: string;
    /** Seconds of talk. */
    durationSeconds: number | null;
    /** The outcome of the call. */
    outcome: 'answered' | 'missed' | 'voicemail';
    /** Where the caller found the number. */
    source: string | null;
    /** Where the recording can be heard. */
    recordingUrl: string | null;
    /** The caller's name. */
    customerName: string | null;
    /** Notes about what the caller and the workshop talked about. */
    notes: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** The call as it is now. */
export interface CallLeadAnswer {
    /** Always `true`. */
    success: true;
    callLead: CallLead;
}
/** A line of a priced quote. */
export interface QuoteLine {
    /** What it is. */
    title: string;
    /** How many, or how much. */
    quantity: number;
    /** The price of one, in the currency of the workshop's country. */
    unitPrice: number;
    /** quantity × unitPrice, rounded half up to cents. */
    total: number;
}
/** A request for a price, and the price. */
export interface Quote {
    /** The quote's reference for every later call. */
    id: string;
    /** Ten characters without look-alikes: the end of the customer's link. */
    code: string;
    /** The workshop. */
    workshopId: string;
    /** The customer. */
    customerId: string;
    /** The car. */
    carId: string;
    /** The booking that accepting it made. */
    bookingId: string | null;
    /** Your own reference. */
    externalId: string | null;
    car: Car;
    customer: Customer;
    /** Where it stands. */
    status: 'requested' | 'quoted' | 'accepted' | 'declined' | 'expired';
    /** What a price was asked for. */
    services: ServiceItem[];
    /** What the customer wants the workshop to know. */
    notes: string | null;
    /** The prices; empty until it is priced. */
    lines: QuoteLine[];
    /** The sum of the lines, in the currency of the workshop's country; null until it is priced. */
    total: number | null;
    /** The workshop's words to the customer. */
    message: string | null;
    /** Until when it can be accepted; null until it is priced. */
    validUntil: string | null;
    /**
     * The customer's page. Null until it is priced, and where the service knows no public address of its
     * own.
     */
    url: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** The quote as it is now. */
export interface QuoteAnswer {
    /** Always `true`. */
    success: true;
    quote: Quote;
}
/** The outcome of an SMS. */
export interface SmsOutcome {
    /** True when the gateway accepted the SMS. Always check it. */
    sent: boolean;
    /** What happened, for a person. */
    message: string;
    /** The message, to read it later. */
    messageId: string;
    /** The customer's conversation in the workshop's inbox. */
    conversationId: string;
    /** Why it was not sent; null when it was. */
    reason: 'optedOut' | 'mayHaveOptedOut' | 'refused' | 'temporarilyRefused' | 'invalidNumber' | 'gatewayUnavailable' | 'unknownOutcome' | 'countryNotAllowed' | 'premiumRate' | 'dailyCeiling' | 'noWayOut' | null;
}
/** The outcome of the SMS. */
export interface SmsResult {
    /** True only when the SMS was sent. */
    success: boolean;
    /** The referenceId of the request. */
    referenceId: string | null;
    sms: SmsOutcome;
}
/** An SMS. */
export interface Message {
    /** The `messageId` of the SMS result. */
    id: string;
    /** The workshop in whose name it was sent. */
    workshopId: string;
    /** The customer's conversation in the workshop's inbox. */
    conversationId: string;
    /** Who gets it. */
    customerId: string;
    /** The booking that it is about. */
    bookingId: string | null;
    /** The template that it was rendered from; null: free text. */
    templateId: string | null;
    /** Which version of the template was rendered: each change of a template makes one. */
    templateVersion: number | null;
    /** The referenceId of the request. */
    referenceId: string | null;
    /** `outbound` from the workshop, `inbound` to it. */
    direction: 'outbound' | 'inbound';
    /** The customer's, as E.164. */
    phone: string;
    /** The text. */
    body: string;
    /** `ucs2` as soon as one character is not of the GSM alphabet. */
    encoding: 'gsm7' | 'ucs2';
    /** SMS segments, as carriers count and bill them. */
    segments: number;
    /**
     * `delivered`, `undelivered` and `expired` come of a delivery report, and are final. `received`: an
     * inbound one.
     */
    state: 'sending' | 'accepted' | 'failed' | 'unknown' | 'delivered' | 'undelivered' | 'expired' | 'superseded' | 'received';
    /** Why it is failed or unknown; else null. */
    reason: 'optedOut' | 'mayHaveOptedOut' | 'refused' | 'temporarilyRefused' | 'invalidNumber' | 'gatewayUnavailable' | 'unknownOutcome' | 'countryNotAllowed' | 'premiumRate' | 'dailyCeiling' | 'noWayOut' | 'erased' | 'cancelled' | 'expired' | 'superseded' | 'pageCeiling' | 'error' | null;
    /**
     * The carrier's reason, for people: why it was not sent or did not arrive; null when the gateway could
     * not be used.
     */
    detail: string | null;
    /** Each hand-over to a gateway, in order. */
    attempts: ({
        /** From 1. */
        number: number;
        /** As the message's. */
        state: 'sending' | 'accepted' | 'failed' | 'unknown' | 'delivered' | 'undelivered' | 'expired' | 'superseded' | 'received';
        /** As the message's. */
        reason: 'optedOut' | 'mayHaveOptedOut' | 'refused' | 'temporarilyRefused' | 'invalidNumber' | 'gatewayUnavailable' | 'unknownOutcome' | 'countryNotAllowed' | 'premiumRate' | 'dailyCeiling' | 'noWayOut' | 'erased' | 'cancelled' | 'expired' | 'superseded' | 'pageCeiling' | 'error' | null;
        /** As the message's. */
        detail: string | null;
        /** True: sent although the attempt before it may have arrived. */
        repeatsUnknown: boolean;
        /** When it began. */
        startedAt: string;
        /** When its outcome was known; null until then. */
        finishedAt: string | null;
    })[];
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** A text of the workshop that you may send. */
export interface InboxTemplate {
    /** The templateId of a message. */
    id: string;
    /** What the workshop calls it. */
    name: string;
    /** The text, with placeholders. */
    body: string;
    /** The variables that it uses. */
    placeholders: string[];
    /** True: send bookingId with it. */
    requiresBooking: boolean;
    /** Only published ones are listed. */
    status: 'published';
    /** When it last changed. */
    updatedAt: string;
}
/** An endpoint of yours, to which events are delivered. */
export interface Webhook {
    /** The endpoint's reference for every later call. */
    id: string;
    /** Where deliveries go. */
    url: string;
    /** The HTTP method of its deliveries. */
    method: 'POST' | 'PUT' | 'PATCH';
    /** What it is notified of. */
    actions: ('bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated')[];
    /** Null: all workshops that you are linked to. */
    workshopId: string | null;
    /** For you. */
    description: string | null;
    /** A disabled endpoint gets nothing. */
    status: 'enabled' | 'disabled';
    /**
     * Who or what disabled it: `partner` (you), `operator`, `gone` (the receiver answered 410), `failing`
     * (nothing but failures for five days).
     */
    disabledReason: 'partner' | 'operator' | 'gone' | 'failing' | null;
    /** The most deliveries at the same time. */
    maxConcurrent: number;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** Something that happened. */
export interface WebhookEvent {
    /** The event's id, the same in every delivery of it. */
    id: string;
    /** What happened. */
    action: 'bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated' | 'test';
    /** Seconds since 1970: of the attempt in a delivery, of the event in the feed. */
    timestamp: number;
    /** Of the form of this body: 3. */
    version: number;
    /** Fields of the object that were left out, as null or [], to keep the body under 64 KB. */
    omittedFields?: string[] | undefined;
    /** In actions about one: the booking as it was then, with its `version`, which rises with each change. */
    booking?: Record<string, unknown> | undefined;
    /** In actions about one: the message as it was then, with its `version`, which rises with each change. */
    message?: Record<string, unknown> | undefined;
    /** In actions about one: the customer as it was then, with its `version`, which rises with each change. */
    customer?: Record<string, unknown> | undefined;
    /** In actions about one: the quote as it was then, with its `version`, which rises with each change. */
    quote?: Record<string, unknown> | undefined;
    /** In actions about one: the callLead as it was then, with its `version`, which rises with each change. */
    callLead?: Record<string, unknown> | undefined;
    /**
     * In actions about one: the serviceReminder as it was then, with its `version`, which rises with each
     * change.
     */
    serviceReminder?: Record<string, unknown> | undefined;
    [name: string]: unknown;
}
/** An event on its way to an endpoint. */
export interface WebhookDelivery {
    /** The `x-request-id` of its attempts. */
    id: string;
    /** The `webhook-id` of its attempts, and the body's `id`. */
    eventId: string;
    /** What it tells of. */
    action: 'bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated' | 'test';
    /** `waiting`: for its first attempt, or a retry. */
    status: 'waiting' | 'delivered' | 'failed';
    /** Each call of the endpoint, in order; the last 50. */
    attempts: ({
        /** When it began. */
        at: string;
        /** The HTTP status; null when no response came. */
        responseStatus: number | null;
        /** Milliseconds until the response; null when the endpoint was not called. */
        durationMs: number | null;
        /** Why it was no success, for people. */
        error: string | null;
    })[];
    /** When it is tried next, at the earliest; null while it is tried, and when it is not waiting. */
    nextAttemptAt: string | null;
    /** When it was made. */
    createdAt: string;
}
/** What happened, counted. */
export interface ReportCounts {
    /** Bookings created. */
    bookingsCreated: number;
    /** Of these: pending now. */
    bookingsPending: number;
    /** Of these: confirmed now. */
    bookingsConfirmed: number;
    /** Of these: completed now. */
    bookingsCompleted: number;
    /** Of these: cancelled now. */
    bookingsCancelled: number;
    /** Calls registered, by `calledAt`. */
    callLeads: number;
    /** Of these: with a booking by now. */
    callLeadsBooked: number;
    /** Quotes requested. */
    quotesRequested: number;
    /** Of these: accepted by now. */
    quotesAccepted: number;
    /** Service reminders sent, by `sentAt`. */
    remindersSent: number;
    /** Of these: booked by now. */
    remindersBooked: number;
    /** SMS that a gateway has accepted, of those that you caused. */
    messagesSent: number;
    /** Of these: delivered. */
    messagesDelivered: number;
    /** SMS that were not sent or did not arrive: `failed`, `undelivered` and `expired` ones. */
    messagesFailed: number;
    /** Customers' answers to your SMS. */
    messagesReceived: number;
    /** Segments of the SMS that a gateway has accepted. */
    smsSegments: number;
}
/** What happened in one period or at one workshop. */
export interface ReportGroup {
    /** `2027-03-28`, `2027-W12`, `2027-03`, the id of a workshop, or `total`. */
    key: string;
    /** Bookings created. */
    bookingsCreated: number;
    /** Of these: pending now. */
    bookingsPending: number;
    /** Of these: confirmed now. */
    bookingsConfirmed: number;
    /** Of these: completed now. */
    bookingsCompleted: number;
    /** Of these: cancelled now. */
    bookingsCancelled: number;
    /** Calls registered, by `calledAt`. */
    callLeads: number;
    /** Of these: with a booking by now. */
    callLeadsBooked: number;
    /** Quotes requested. */
    quotesRequested: number;
    /** Of these: accepted by now. */
    quotesAccepted: number;
    /** Service reminders sent, by `sentAt`. */
    remindersSent: number;
    /** Of these: booked by now. */
    remindersBooked: number;
    /** SMS that a gateway has accepted, of those that you caused. */
    messagesSent: number;
    /** Of these: delivered. */
    messagesDelivered: number;
    /** SMS that were not sent or did not arrive: `failed`, `undelivered` and `expired` ones. */
    messagesFailed: number;
    /** Customers' answers to your SMS. */
    messagesReceived: number;
    /** Segments of the SMS that a gateway has accepted. */
    smsSegments: number;
}
/** Conditions, which hold all together; without any, always. */
export interface AutomationConditions {
    /** The booking is for one of these categories. */
    serviceCategories?: ('service' | 'tyres' | 'repair' | 'others')[] | undefined;
    /** That number of days has passed since the customer's last other booking, when the text is due. */
    minDaysSinceLastBooking?: number | undefined;
}
/** Local times between which nothing is sent. */
export interface QuietHours {
    /** Local: `HH:MM`. */
    from: string;
    /** Local: `HH:MM`. */
    to: string;
}
/** A text that is sent by itself when something happens. */
export interface Automation {
    /** The automation, to trigger it. */
    id: string;
    /** What the workshop calls it. */
    name: string;
    /** When the text is due. */
    trigger: {
        /** What triggers it; `manual`: nothing but a call. */
        type: 'manual' | 'bookingCreated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'beforeBooking' | 'callMissed' | 'reminderSent';
        /** Minutes after what triggers it; of `beforeBooking`, before the booking. */
        offsetMinutes: number;
    };
    conditions: AutomationConditions;
    /** The template of its text. */
    templateId: string;
    /** Null: it is sent at any time. */
    quietHours: QuietHours | null;
    /** A paused one sends nothing. */
    status: 'active' | 'paused';
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** For whom, and about which booking. */
export interface TriggerAutomationBody {
    /** The customer; when it is omitted, `phone` is used. */
    customerId?: string | null | undefined;
    /** Finds or makes the customer when `customerId` is omitted. */
    phone?: string | null | undefined;
    /** One of the customer's bookings that you made. */
    bookingId?: string | null | undefined;
    /** Your key: for one customer the same one answers the same run. */
    referenceId?: string | null | undefined;
}
/** One text of an automation to one customer. */
export interface AutomationRun {
    /** The run's reference. */
    id: string;
    /** The automation. */
    automationId: string;
    /** Who gets the text. */
    customerId: string;
    /** The booking that it is about. */
    bookingId: string | null;
    /** The referenceId of the request. */
    referenceId: string | null;
    /** `skipped`: it was not to be sent; `reason` says why. */
    status: 'scheduled' | 'sent' | 'failed' | 'skipped';
    /** Why it was not sent; those of a message after its own. */
    reason: 'paused' | 'conditions' | 'tooLate' | 'bookingCancelled' | 'bookingMoved' | 'bookingCompleted' | 'templateUnpublished' | 'notPermitted' | 'restored' | 'optedOut' | 'mayHaveOptedOut' | 'refused' | 'temporarilyRefused' | 'invalidNumber' | 'gatewayUnavailable' | 'unknownOutcome' | 'countryNotAllowed' | 'premiumRate' | 'dailyCeiling' | 'noWayOut' | 'erased' | 'cancelled' | 'expired' | 'superseded' | 'pageCeiling' | 'error' | null;
    /** When it is sent, at the earliest. */
    dueAt: string;
    /** When it was sent; null before. */
    sentAt: string | null;
    /** The message that was sent; null before. */
    messageId: string | null;
}
/** The run. */
export interface RunAnswer {
    /** Always `true`. */
    success: true;
    run: AutomationRun;
}
/** Conditions, which hold all together; without any, all customers. */
export interface Audience {
    /** The last visit was before this local date. A visit is a booking that is past and not cancelled. */
    lastVisitBefore?: string | undefined;
    /** The last visit was on this local date or later. */
    lastVisitAfter?: string | undefined;
    /** One of the visits was for one of these categories. */
    serviceCategories?: ('service' | 'tyres' | 'repair' | 'others')[] | undefined;
    /** They have a car of this year or a later one, */
    carYearFrom?: number | undefined;
    /** and of this year or an earlier one. */
    carYearTo?: number | undefined;
    /** They have one of these tags. */
    tags?: string[] | undefined;
    /** True: there was no visit yet. False: there was one. */
    neverVisited?: boolean | undefined;
}
/** How far a blast has come. */
export interface BlastCounts {
    /** Fixed when sending begins: waiting, sent, failed, unknown and skipped together. */
    recipients: number;
    /** Not handed over yet, or to be tried again. */
    waiting: number;
    /** The carrier has it. */
    sent: number;
    /** Of those sent: it is on the phone. */
    delivered: number;
    /** It was refused, or did not arrive. */
    failed: number;
    /** It may have arrived. It is not sent again. */
    unknown: number;
    /**
     * Opted out or erased meanwhile, of another country than the workshop, or the blast was cancelled
     * before their turn.
     */
    skipped: number;
}
/** One text to many of a workshop's customers. */
export interface Blast {
    /** The blast, to trigger it. */
    id: string;
    /** What the workshop calls it. */
    name: string;
    /** The template of its text. */
    templateId: string;
    audience: Audience;
    /** Where it stands. */
    status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'completed' | 'cancelled';
    /** When sending begins; null for a draft. */
    scheduledAt: string | null;
    /** When audience and text were fixed. */
    startedAt: string | null;
    /** When it was completed or cancelled. */
    endedAt: string | null;
    counts: BlastCounts;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
}
/** The blast. */
export interface BlastAnswer {
    /** Always `true`. */
    success: true;
    blast: Blast;
}
/** All fields are optional. */
export interface TriggerBlastBody {
    /** When sending begins; now when it is absent or past. */
    scheduledAt?: string | null | undefined;
    /** Your key: the same one answers the same blast again. */
    referenceId?: string | null | undefined;
}
/** What would have left the machine. */
export interface SandboxMessage {
    /** The message's reference. */
    id: string;
    /** What it is. */
    channel: 'sms' | 'email';
    /** Whether it was "sent", or refused by the number. */
    outcome: 'accepted' | 'refused';
    /** E.164, or an e-mail address. */
    to: string;
    /** The sender: a number, a name or an e-mail address. */
    from: string;
    /** The subject of an e-mail. */
    subject: string | null;
    /** The text. */
    body: string;
    /** The alphabet of an SMS. */
    encoding: 'gsm7' | 'ucs2' | null;
    /** The parts that an SMS is sent and paid in. */
    segments: number | null;
    /** Of an SMS, where `SANDBOX_SMS_SEGMENT_PRICE` gives the price of a segment. */
    cost: {
        /** In units of the currency, at most six decimals. */
        amount: number;
        /** ISO 4217 */
        currency: string;
    } | null;
    /** The HTML of an e-mail; a logo that goes along with it has its path here. */
    html: string | null;
    /** The invitation of an e-mail (iCalendar). */
    calendar: string | null;
    /** The id of the attempt. */
    reference: string;
    /** The business time. */
    at: string;
}
/** The business clock. */
export interface Clock {
    /** The business time. */
    now: string;
    /** Seconds by which it was moved forward, all in all. */
    advanceSeconds: number;
}
/** A request of a partner, and its answer. */
export interface SandboxRequest {
    /** The `X-Request-Id`. */
    id: string;
    /** The business time. */
    at: string;
    /** The HTTP method. */
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'TRACE' | 'QUERY';
    /** The path with its query. */
    path: string;
    /** The operation of this document; null: there is no such path or method. */
    operationId: string | null;
    /** The `X-Partner-ID` as it was sent. */
    partnerId: string | null;
    /** The HTTP status of the answer. */
    status: number;
    /** From the request to its answer, in milliseconds. */
    durationMs: number;
    /** The fields of the body that the operation does not know: paths, as in `Pitlane-Ignored-Fields`. */
    ignoredFields: string[];
    /** True: the stored answer to an earlier request with the same key. */
    replayed: boolean;
    /** Of a refusal. */
    errorCode: '100001' | '110001' | '110002' | '120001' | '000001' | '000002' | '000003' | '000004' | '000005' | '000006' | '000007' | '000008' | '000009' | '000010' | '000500' | '010000' | '010001' | '010002' | '010003' | '030001' | '040001' | '050001' | '060001' | '060002' | '060003' | '060004' | '080001' | '080002' | '090001' | '090002' | null;
    /** Of a refusal, for people. */
    message: string | null;
    /** The failing fields of a refusal. */
    errors: {
        /** Its path, such as `services[0].cost`. */
        field: string;
        /** What is wrong with it, for people. */
        message: string;
    }[];
    /**
     * JSON, as the service read it, without secrets and tokens; at most 4,000 characters, then `…`; `…
     * longer than 16 KiB` in place of such a one.
     */
    requestBody: string | null;
    /**
     * JSON, without secrets and tokens; at most 4,000 characters, then `…`; `… longer than 16 KiB` in
     * place of such a one.
     */
    responseBody: string | null;
}
export interface SignInBody {
    /** The App Key that the operator handed out. */
    appKey: string;
    /** Its Secret. */
    secret: string;
}
export interface RefreshTokenBody {
    /** The current access token of the sign-in; it may have expired. */
    token: string;
    /** The refresh token of the same sign-in. */
    refreshToken: string;
}
/** A page of workshops. */
export interface ListWorkshopsAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    workshops: Workshop[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
/** All four categories, and the services on offer in the order of the workshop. */
export interface ListServicesAnswer {
    /** Always `true`. */
    success: true;
    /** All four. */
    categories: CatalogueCategory[];
    /** Those on offer, in the order of the workshop. */
    services: CatalogueService[];
}
/** One entry a date, in order. */
export interface ListAvailabilitiesAnswer {
    /** Always `true`. */
    success: true;
    /** The workshop. */
    workshopId: string;
    /** That of the local times: an IANA name. */
    timezone: string;
    /** Minutes from one slot to the next. */
    slotMinutes: number;
    /** Whether bookings must fit these slots. */
    enforced: boolean;
    /** One a date, in order. */
    days: AvailabilityDay[];
}
export interface CreateBookingBody {
    /** The workshop, from GET /workshops. */
    workshopId: string;
    /** Registration; stored in upper case without white space. */
    carRego: string;
    /** Date and time of the booking. */
    bookingTime: string;
    /** First name, then the rest. */
    customerName: string;
    /** Any form that is valid in the workshop's country. */
    customerPhone: string;
    /** Where notices go. */
    customerEmail: string;
    /** What kind of work it is; that of the services unless given. */
    serviceCategory?: 'service' | 'tyres' | 'repair' | 'others' | null | undefined;
    /** The services wanted, each by `catalogId`, `catalogCode` or `title`. Their order is kept. */
    services?: ({
        /** The `_id` of a service that the workshop offers. */
        catalogId?: string | null | undefined;
        /** A service's code; one that the workshop does not have makes a custom item. */
        catalogCode?: string | null | undefined;
        /** Of a custom item; the `catalogCode` unless given. */
        title?: string | null | undefined;
        /** Of a custom item; `others` unless given. */
        category?: string | null | undefined;
        /** The price, in the currency of the workshop's country; the catalogue's unless given. */
        cost?: number | null | undefined;
        /** The most that a custom item may cost, in the same currency. */
        maxCost?: number | null | undefined;
        /** The name of the icon of a custom item. */
        icon?: string | null | undefined;
        /** The colour of a custom item. */
        color?: string | null | undefined;
    })[] | null | undefined;
    /** When the car is to be picked up. */
    pickupTime?: string | null | undefined;
    /** In words of your own. */
    servicePackageType?: string | null | undefined;
    /** What the customer wants the workshop to know. */
    notes?: string | null | undefined;
    /** The customer's company. */
    customerCompany?: string | null | undefined;
    /** Notes on the work. */
    jobNotes?: string[] | null | undefined;
    /** Notes on parts and products. */
    productNotes?: string[] | null | undefined;
    /** How many tyres. */
    tyreQuantities?: number | null | undefined;
    /** Your own reference. */
    externalId?: string | null | undefined;
    /** Vehicle identification number. */
    carVin?: string | null | undefined;
    /** Who made the car. */
    carMake?: string | null | undefined;
    /** The model. */
    carModel?: string | null | undefined;
    /** The year the car was made. */
    carYear?: number | null | undefined;
    /** The variant of the model. */
    carBadge?: string | null | undefined;
    /** The code of a service reminder of yours: the booking becomes its `newBookingId`. */
    reminderCode?: string | null | undefined;
    /** True: nobody is notified of this request. */
    skipNotification?: boolean | null | undefined;
}
export interface UpdateBookingBody {
    /** The new date and time; when it changes, the customer is notified. */
    date?: string | undefined;
    /** Registration: the booking is for this car from now on. */
    carRego?: string | undefined;
    /** First name, then the rest. */
    customerName?: string | undefined;
    /** Any form that is valid in the workshop's country. */
    customerPhone?: string | undefined;
    /** Where notices go. */
    customerEmail?: string | undefined;
    /** What kind of work it is; that of the services unless given. */
    serviceCategory?: 'service' | 'tyres' | 'repair' | 'others' | null | undefined;
    /** The services wanted, each by `catalogId`, `catalogCode` or `title`. Their order is kept. */
    services?: ({
        /** The `_id` of a service that the workshop offers. */
        catalogId?: string | null | undefined;
        /** A service's code; one that the workshop does not have makes a custom item. */
        catalogCode?: string | null | undefined;
        /** Of a custom item; the `catalogCode` unless given. */
        title?: string | null | undefined;
        /** Of a custom item; `others` unless given. */
        category?: string | null | undefined;
        /** The price, in the currency of the workshop's country; the catalogue's unless given. */
        cost?: number | null | undefined;
        /** The most that a custom item may cost, in the same currency. */
        maxCost?: number | null | undefined;
        /** The name of the icon of a custom item. */
        icon?: string | null | undefined;
        /** The colour of a custom item. */
        color?: string | null | undefined;
    })[] | null | undefined;
    /** When the car is to be picked up. */
    pickupTime?: string | null | undefined;
    /** In words of your own. */
    servicePackageType?: string | null | undefined;
    /** What the customer wants the workshop to know. */
    notes?: string | null | undefined;
    /** The customer's company. */
    customerCompany?: string | null | undefined;
    /** Notes on the work. */
    jobNotes?: string[] | null | undefined;
    /** Notes on parts and products. */
    productNotes?: string[] | null | undefined;
    /** How many tyres. */
    tyreQuantities?: number | null | undefined;
    /** Stored and returned as given: it has no unit here. */
    interval?: number | null | undefined;
    /** True: nobody is notified of this request. */
    skipNotification?: boolean | null | undefined;
}
/** A page of bookings. */
export interface ListBookingsAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    bookings: Booking[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
export interface SetBookingStatusBody {
    /** Why it is cancelled: kept as `cancelReason`, and told to the customer. Not kept for other statuses. */
    reason?: string | null | undefined;
    /** True: nobody is notified of this request. */
    skipNotification?: boolean | null | undefined;
}
/** A link to the booking page. */
export interface GetBookingUrlAnswer {
    /** Always `true`. */
    success: true;
    /** Whose details it fills in is encrypted. Do not take it apart: its form may change. */
    url: string;
    /** Null: it lasts until the operator revokes it, or the link is switched off. */
    expiresAt: string | null;
}
export interface CreateServiceReminderBody {
    /** The workshop, from GET /workshops. */
    workshopId: string;
    /** The customer; when it is omitted, `customerPhone` is used. */
    customerId?: string | null | undefined;
    /** Used when customerId is omitted; the customer is found or made. */
    customerPhone?: string | null | undefined;
    /** How to address the customer. */
    customerName?: string | null | undefined;
    /** Which car; else that of the last booking. */
    carRego?: string | null | undefined;
    /** A booking of yours for this customer; else your latest one of the customer's that is not cancelled. */
    lastBookingId?: string | null | undefined;
    /** Your own reference. */
    externalId?: string | null | undefined;
    /** When to send it; at once unless it lies ahead. */
    sendAt?: string | null | undefined;
}
/** A page of reminders. */
export interface ListServiceRemindersAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    serviceReminders: ServiceReminder[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
export type CancelServiceReminderBody = Record<string, never>;
export interface RecordCallBody {
    /** The workshop that was called. */
    workshopId: string;
    /** Any form that is valid in the workshop's country. */
    callerPhone: string;
    /** When the call began. */
    calledAt: string;
    /** The outcome of the call. */
    outcome: 'answered' | 'missed' | 'voicemail';
    /** Seconds of talk, at most a day. */
    durationSeconds?: number | null | undefined;
    /** Where the caller found the number. */
    source?: string | null | undefined;
    /** Where the recording can be heard. */
    recordingUrl?: string | null | undefined;
    /** The caller's name. */
    customerName?: string | null | undefined;
    /** Notes about what the caller and the workshop talked about. */
    notes?: string | null | undefined;
    /** Your own reference. The same one again for the workshop updates its call. */
    externalId?: string | null | undefined;
}
/** A page of calls. */
export interface ListCallLeadsAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    callLeads: CallLead[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
export interface CreateQuoteBody {
    /** The workshop, from GET /workshops. */
    workshopId: string;
    /** First name, then the rest. */
    customerName: string;
    /** Any form that is valid in the workshop's country. */
    customerPhone: string;
    /** Where the quote goes. */
    customerEmail: string;
    /** Registration; stored in upper case without white space. */
    carRego: string;
    /** The services wanted, each by `catalogId`, `catalogCode` or `title`. Their order is kept. */
    services: ({
        /** The `_id` of a service that the workshop offers. */
        catalogId?: string | null | undefined;
        /** A service's code; one that the workshop does not have makes a custom item. */
        catalogCode?: string | null | undefined;
        /** Of a custom item; the `catalogCode` unless given. */
        title?: string | null | undefined;
        /** Of a custom item; `others` unless given. */
        category?: string | null | undefined;
        /** The price, in the currency of the workshop's country; the catalogue's unless given. */
        cost?: number | null | undefined;
        /** The most that a custom item may cost, in the same currency. */
        maxCost?: number | null | undefined;
        /** The name of the icon of a custom item. */
        icon?: string | null | undefined;
        /** The colour of a custom item. */
        color?: string | null | undefined;
    })[];
    /** The customer's company. */
    customerCompany?: string | null | undefined;
    /** What the customer wants the workshop to know. */
    notes?: string | null | undefined;
    /** Your own reference. */
    externalId?: string | null | undefined;
    /** Vehicle identification number. */
    carVin?: string | null | undefined;
    /** Who made the car. */
    carMake?: string | null | undefined;
    /** The model. */
    carModel?: string | null | undefined;
    /** The year the car was made. */
    carYear?: number | null | undefined;
    /** The variant of the model. */
    carBadge?: string | null | undefined;
    /** True: the workshop is not notified of this request. */
    skipNotification?: boolean | null | undefined;
}
/** A page of quotes. */
export interface ListQuotesAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    quotes: Quote[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
export interface SendMessageBody {
    /** The customer; when it is omitted, `phone` is used. */
    customerId?: string | null | undefined;
    /** Used when customerId is omitted; the customer is found or made. */
    phone?: string | null | undefined;
    /** Required when a template uses booking fields. It must be a booking of the same customer. */
    bookingId?: string | null | undefined;
    /** SMS is the only channel: another one is refused. Unknown fields of `sms` are ignored and named. */
    channels: {
        /** The SMS: its text, or a template. */
        sms: {
            /** Free text, at most 10 SMS segments: 1,530 characters of the GSM alphabet, 670 of others. */
            message?: string | null | undefined;
            /** A published inbox template, from the list of templates. Either this or `message`. */
            templateId?: string | null | undefined;
        };
    };
    /** Your idempotency key, unique per workshop and customer. */
    referenceId?: string | null | undefined;
}
/** The message. */
export interface GetMessageAnswer {
    /** Always `true`. */
    success: true;
    message: Message;
}
/** A page of templates. */
export interface ListTemplatesAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    templates: InboxTemplate[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
export interface CreateWebhookBody {
    /** An https URL that leads to a public address. */
    url: string;
    /** The HTTP method of its deliveries; POST unless given. */
    method?: 'POST' | 'PUT' | 'PATCH' | null | undefined;
    /** What it is notified of. */
    actions: ('bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated')[];
    /** Of one workshop only; of all that you are linked to when absent. */
    workshopId?: string | null | undefined;
    /** For you. */
    description?: string | null | undefined;
}
/** The new endpoint. An idempotent replay has no `secret`. */
export interface CreateWebhookAnswer {
    /** Always `true`. */
    success: true;
    webhook: Webhook;
    /** Signs the deliveries. Shown here only: keep it now. */
    secret?: string | undefined;
}
/** A page of endpoints. */
export interface ListWebhooksAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    webhooks: Webhook[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
/** The endpoint as it is now. */
export interface GetWebhookAnswer {
    /** Always `true`. */
    success: true;
    webhook: Webhook;
}
export interface UpdateWebhookBody {
    /** An https URL that leads to a public address. */
    url?: string | undefined;
    /** The HTTP method of its deliveries; POST unless given. */
    method?: 'POST' | 'PUT' | 'PATCH' | null | undefined;
    /** What it is notified of. */
    actions?: ('bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated')[] | undefined;
    /** Of one workshop only; of all that you are linked to when absent. */
    workshopId?: string | null | undefined;
    /** For you. */
    description?: string | null | undefined;
    /** A disabled endpoint gets nothing; what waits for it is delivered once it is enabled. */
    status?: 'enabled' | 'disabled' | undefined;
    /** The most deliveries at the same time. */
    maxConcurrent?: number | undefined;
}
/** The endpoint as it is now. */
export interface UpdateWebhookAnswer {
    /** Always `true`. */
    success: true;
    webhook: Webhook;
}
export type TestWebhookBody = Record<string, never>;
/** The delivery, with what came back. */
export interface TestWebhookAnswer {
    /** Always `true`. */
    success: true;
    delivery: WebhookDelivery;
}
export type RotateWebhookSecretBody = Record<string, never>;
/** The endpoint with its new secret; the one before signs too for 24 hours. */
export interface RotateWebhookSecretAnswer {
    /** Always `true`. */
    success: true;
    webhook: Webhook;
    /** Signs the deliveries. Shown here only: keep it now. */
    secret: string;
}
/** A page of deliveries. */
export interface ListWebhookDeliveriesAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    deliveries: WebhookDelivery[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
export type ReplayWebhookDeliveryBody = Record<string, never>;
/** They are queued. */
export interface ReplayWebhookDeliveryAnswer {
    /** Always `true`. */
    success: true;
    /** How many are delivered again. */
    deliveries: number;
}
export interface ReplayWebhookDeliveriesBody {
    /** Deliveries that were made at this instant or later. */
    since: string;
    /** Those in this status only; all when absent. */
    status?: 'waiting' | 'delivered' | 'failed' | null | undefined;
}
/** They are queued. */
export interface ReplayWebhookDeliveriesAnswer {
    /** Always `true`. */
    success: true;
    /** How many are delivered again. */
    deliveries: number;
}
/** A page of events. */
export interface ListEventsAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    events: WebhookEvent[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
/** A group for each period or workshop, also where nothing happened; and all of them together. */
export interface GetPartnerReportAnswer {
    /** Always `true`. */
    success: true;
    /** The first local date. */
    from: string;
    /** The last local date. */
    to: string;
    /** What says when days begin: an IANA name. */
    timezone: string;
    /** In the order of their keys, also where nothing happened. */
    groups: ReportGroup[];
    totals: ReportCounts;
}
/** A page of automations. */
export interface ListAutomationsAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    automations: Automation[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
/** A page of blasts. */
export interface ListBlastsAnswer {
    /** Always `true`. */
    success: true;
    /** The items of this page. */
    blasts: Blast[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
/** Yes. */
export interface IsLiveAnswer {
    /** Always `ok`. */
    status: 'ok';
}
/** Yes. */
export interface IsReadyAnswer {
    /** Always `ok`. */
    status: 'ok';
}
/** A page of messages, newest first. */
export interface ListSandboxMessagesAnswer {
    /** The items of this page. */
    messages: SandboxMessage[];
    /** The `cursor` of the next page. Null at the end; never null in a feed of changes. */
    nextCursor: string | null;
}
/** A conversation. */
export interface ReadSandboxConversationAnswer {
    /** The newest hundred of each direction, oldest first. */
    messages: ({
        /** The id of what was sent, or of the answer. */
        id: string;
        /** Sent to the phone, or an answer. */
        direction: 'outbound' | 'inbound';
        /** Whether it was "sent", or refused by the number. */
        outcome: 'accepted' | 'refused';
        /** The sender: a number or a name; of an answer the customer's phone. */
        from: string;
        /** E.164; of an answer the workshop's name. */
        to: string;
        /** The text. */
        body: string;
        /** The alphabet of an SMS. */
        encoding: 'gsm7' | 'ucs2' | null;
        /** The parts that an SMS is sent and paid in. */
        segments: number | null;
        /** Of an SMS, where `SANDBOX_SMS_SEGMENT_PRICE` gives the price of a segment. */
        cost: {
            /** In units of the currency, at most six decimals. */
            amount: number;
            /** ISO 4217 */
            currency: string;
        } | null;
        /** The business time. */
        at: string;
    })[];
}
export interface AnswerAsCustomerBody {
    /** The customer: an Australian number in any form, another one with its country code. */
    from: string;
    /**
     * The number that the workshop sends from. Without it, or when no workshop has it, the answer goes to
     * the workshop that was last in touch with `from`.
     */
    to?: string | null | undefined;
    /** The text, such as `Yes please` or `STOP`. */
    body: string;
}
/** Where the answer was put. */
export interface AnswerAsCustomerAnswer {
    /** False: from nobody known, to a number that no workshop has. It is kept as a dead letter. */
    placed: boolean;
    /** Whose inbox it is in. */
    workshopId: string | null;
    /** Who wrote it. */
    customerId: string | null;
    /** The conversation that it is part of. */
    conversationId: string | null;
    /** The message that it became. */
    messageId: string | null;
}
export interface AdvanceClockBody {
    /** Seconds to move it forward; all in all at most ten years. */
    advanceSeconds: number;
}
/** The last requests, newest first. */
export interface ListSandboxRequestsAnswer {
    /** The requests that fit. */
    requests: SandboxRequest[];
    /** True: a gateway is real, so no values of bodies and queries are kept. */
    redacted: boolean;
    /** Which process answered. Each keeps its own requests: of several, ask each. */
    processId: string;
}
/** Each operation by its name. */
export interface Operations {
    /**
     * Sign in.
     *
     * Exchanges an App Key and its Secret for an access token (48 hours) and a refresh token (30 days).
     * After ten failures within a minute from one address the answer is 429.
     *
     * - Signing in makes a new sign-in each time; earlier ones stay. There is no limit on how many are
     * open.
     * - Failed sign-ins are counted by the partner id in the header and the caller's address, IPv6 by /64.
     * 11th failure within a minute: 429. A success uses nothing up. Ids that no partner has count
     * together, by address alone. Over all addresses a partner may fail a hundred times a minute with app
     * keys that it has, and a hundred times with others: who knows no key does not keep it from signing
     * in.
     * - While many sign in at once, 503 `000007` with `Retry-After`: at most two secrets are checked at a
     * time in one process.
     * - A suspended partner gets 010003 at sign-in, 010002 at refresh, 010000 elsewhere. Activated again,
     * its tokens work again.
     * - Deleting an app key ends its sign-ins. Tokens are remembered for at most 2 seconds by a process,
     * so revoking takes that long.
     */
    signIn(request: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: SignInBody;
    }, options?: CallOptions): Promise<TokenPair>;
    /**
     * Refresh the access token.
     *
     * Exchanges the current access token, which may have expired, and the refresh token of the same
     * sign-in for a new pair. No Authorization header is sent. The old access token stays valid until its
     * own 48 hours are over.
     *
     * - `token` and `refreshToken` must be of one sign-in. The access token may have expired; the refresh
     * token may not. Every other reason has the same response, 400 `010002`, which does not disclose it. A
     * body that lacks a field has that code too, with the fields in `errors`, and so has one that is empty
     * or no JSON.
     * - **A pair is exchanged** when any of these holds: the access token is the newest of its sign-in
     * (clients that keep their first refresh token for good); the access token was never exchanged, or the
     * refresh token never was (two workers that were each given a pair); this very pair was first
     * exchanged within the last 60 seconds, and fewer than five further pairs were given for it (a lost
     * response).
     * - A sixth repeat within the 60 seconds is refused and revokes nothing. Otherwise two spent tokens
     * that come back are theft: the whole sign-in is revoked, with every token of it. A refresh that is
     * refused for another reason (expired, wrong sign-in, suspended) revokes nothing. All times here are
     * business time.
     */
    refreshToken(request: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: RefreshTokenBody;
    }, options?: CallOptions): Promise<TokenPair>;
    /**
     * List your workshops.
     *
     * Every workshop that you are linked to, also where the link is switched off.
     */
    listWorkshops(request?: {
        query?: {
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListWorkshopsAnswer>;
    /**
     * List the services of a workshop.
     *
     * All that are on offer, and the four categories with their daily limits; also where the link is
     * switched off.
     */
    listServices(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListServicesAnswer>;
    /**
     * List the free times of a workshop.
     *
     * At most seven days. `slots` holds what can be booked now, for the service or category that is named;
     * with `explain` every other time comes with the reason why it is not free.
     *
     * - **Links**: availabilities need a link that is on. The catalogue is readable also where it is off,
     * as one's own bookings are.
     * - **`open`** says that the day has hours, also when no slot fits into them.
     * - **Slots of ranges** whose edges lie in the hour that daylight saving repeats may overlap each
     * other; a booking at an instant that two hold is of the later one.
     * - **Breaks** are reported from the end of a range, in steps of `slotMinutes`, while they begin
     * before the next range. A break from which the work would not be done by closing time is `closed`, as
     * that comes first.
     * - **A custom day** is reported as `custom`: closed, one entry, also when its weekday is closed; cut,
     * each slot start of its weekday's hours that lies outside its own, also after its closing time. Its
     * weekday's breaks are not reported.
     * - **`pickupTimes`** of a custom day that names none: those of its weekday from its opening to its
     * closing time; none when it is closed. Pickup times that are past are shown.
     * - **`past`** is a slot that has begun. `leadTime` counts from now to the slot's start. `horizonDays`
     * counts local dates from today.
     * - **`catalogId` with `serviceCategory`**: the service counts, as in a booking.
     */
    listAvailabilities(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        query?: {
            /** A date in the workshop's time zone; today unless given. */
            from?: string | undefined;
            /** Included; six days after `from` unless given, and at most. */
            to?: string | undefined;
            /** What is asked for, without a service of the catalogue: counts under the category's daily limit. */
            serviceCategory?: 'service' | 'tyres' | 'repair' | 'others' | undefined;
            /**
             * The `_id` of a service, from `GET /workshops/{id}/services`: its duration and limit are counted
             * with.
             */
            catalogId?: string | undefined;
            /** True: `unavailable` says of every other time why it is not free. */
            explain?: boolean | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListAvailabilitiesAnswer>;
    /**
     * Create a booking.
     *
     * The booking starts as `pending`. Customer and workshop each get an SMS and an e-mail, unless
     * `skipNotification` is true. The customer is found by phone, the car by registration; both are made
     * when they are new. A service that names one of the workshop's catalogue, by `catalogId` or
     * `catalogCode`, gets its category, title, icon, color and maxCost from there, and its cost unless one
     * is sent. Any other is a custom item in your own words. Where the workshop enforces availability,
     * `bookingTime` must lie within an offered slot; daily limits hold everywhere. Else 409 `060003` says
     * why, and when it is free next.
     *
     * - **A booking whose date is past** is refused for none of this, neither when it is made nor when it
     * is moved there.
     * - **`alternatives`** of `060003` are starts of slots after the wished instant, as if slots were
     * enforced, also where only a daily limit is. Empty where none is free within 14 days.
     * - **`reminderCode`** takes any notation of the code (lower case, hyphens, O for 0, I and L for 1).
     * It has to be of this partner and this workshop, not booked and not cancelled; the customer may be
     * another one, as families share cars. The refusal comes with those of phone and catalogue. Of two
     * bookings with one code one is made. A booking that is cancelled later gives the code not back.
     * - **Required** are workshopId, carRego, bookingTime, customerName, customerPhone, customerEmail:
     * both notices need an address.
     * - **Customer**: found by phone within the workshop, else made. Their row takes the name and e-mail
     * sent, and the company when one is sent. The first word of the name, without `,`, `;` and `:` at its
     * end, is firstName, the rest lastName; one word leaves lastName null.
     * - **Car**: found by customer and rego, else made. The workshop's own row follows the details sent
     * last, whoever sent them.
     * - **Order of refusals**: body (400, which names a bad phone too), workshop (404), link (403), then
     * phone and services together (400).
     * - **services** keep their order. `catalogId` comes before `catalogCode`; codes are compared exactly.
     * An item of the catalogue takes everything from there but a sent `cost`, nulls too. Services that are
     * no longer on offer are unknown: 400 by `catalogId`, a custom item by `catalogCode`. A `source` that
     * is sent is ignored.
     * - **A custom item** is kept as sent. Its `category` may be any word of yours; no daily limit holds
     * for other words than the four.
     * - **serviceCategory**, where none is sent, is that of the first service that has one of the four,
     * else `others`; null without services. It follows the services until a request names one.
     * - **The catalogue** counts as it is when the booking is written: an import holds for every booking
     * that is made after it. What it says later changes no booking.
     * - Dates in the past are accepted: partners import history. Notices are sent for them too; use
     * `skipNotification`. With `Pitlane-Strict: on` a `bookingTime` before the workshop's present day
     * without `skipNotification: true` is 400 `000001`; what an `Idempotency-Key` replays is replayed.
     * - A workshop that is unknown or not linked is 404 `030001`, after the fields were checked as far as
     * they can be without its country.
     */
    createBooking(request: {
        headers?: {
            /** 1 to 255 characters. The same key with the same body within 24 hours replays the first success. */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: CreateBookingBody;
    }, options?: CallOptions): Promise<BookingAnswer>;
    /**
     * List your bookings.
     *
     * Newest created first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor`
     * is never null: keep it and ask with it again to get what changed since, each booking at least once.
     * A cursor goes with the filters of the request that gave it.
     *
     * - Newest created first, in the order of their ids: these are made in the order of creation. `from` ≤
     * `date` < `to`; a `to` before `from` is 400. `externalId` is trimmed as on creation. A `workshopId`
     * that the partner is not linked to is 404 `030001`; one whose link is off is no hindrance.
     * - **With `updatedSince`** the list is a feed in the order in which changes became visible. Other
     * filters hold as the bookings are now, so one that is moved out of them does not show. `nextCursor`
     * is never null. Each booking shows at the place of its latest change, so a poller sees the last state
     * of each, not each state.
     * - The feed ends before the oldest change that is still being committed, in whatever database of the
     * PostgreSQL server: a change shows once all that began before it have ended. A page looks at 10,000
     * changes at most; where filters leave few of them it is short, or empty, and its cursor goes on.
     * - After a restore or a failover of the database, earlier positions mean nothing: an earlier cursor
     * is accepted, and the feed begins again at `updatedSince`. Changes that it showed before may appear
     * again; none is left out. Where PostgreSQL's files were replaced by older ones, the feed goes on from
     * where its reader had come when they were copied, if the cursor still tells so, else it begins again
     * too.
     * - A feed's cursor is encrypted: what it goes by, the number of a transaction, would tell how much
     * the whole installation does. Other cursors name the last item that was shown, and nothing else.
     * Where nothing is new, `nextCursor` is the cursor that was sent. Cursors of earlier releases go on
     * working. One whose key was dropped begins again.
     */
    listBookings(request?: {
        query?: {
            /** Of one workshop only. */
            workshopId?: string | undefined;
            /** In this status only. */
            status?: 'pending' | 'confirmed' | 'completed' | 'cancelled' | undefined;
            /** With a `date` from this instant on. */
            from?: string | undefined;
            /** With a `date` before this instant. */
            to?: string | undefined;
            /** With this reference of yours only. */
            externalId?: string | undefined;
            /**
             * Bookings created or changed at this instant or later, as a feed: in the order in which the changes
             * became visible. Its `nextCursor` is never null: keep it, and ask with it for what changed since.
             */
            updatedSince?: string | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListBookingsAnswer>;
    /**
     * Read a booking.
     *
     * One that you made; bookings of other partners are not found.
     *
     * - `customer` in the response shows the contact details of this booking. Its `address`, `postcode`
     * and `suburb` are always null: no request carries them, and what a workshop knows is not shown to
     * partners.
     * - `car` shows the details (year, make, model, badge, VIN) that this partner sent with this booking.
     * Those not sent are filled, one by one, from the latest booking of this car by the same partner that
     * has any. Later bookings change nothing of an earlier one. What another partner sent of the same car
     * is neither shown nor changed.
     * - **Bookings from before** this rule shared their car's details. Where no other partner ever booked
     * the car, they keep them; else they show none, since it is not recorded who sent what. Those have a
     * new version.
     * - **Earlier bookings**, from before there was a catalogue, have custom items alone, with a null
     * `category` or `title` where none was sent.
     */
    getBooking(request: {
        path: {
            /** The booking's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<BookingAnswer>;
    /**
     * Update a booking.
     *
     * Only the fields that are sent change; `null` clears an optional one. A new `date` notifies the
     * customer, unless `skipNotification` is true; the workshop is never notified. In a completed or
     * cancelled booking only notes, jobNotes and productNotes change. The status is changed by its own
     * operation. `services` are replaced whole and filled from the catalogue as on creation; an item that
     * you send back as you got it stays as it is. A changed `date` and changed `services` must fit slots
     * and daily limits as a new booking does; what the booking has already is never refused.
     *
     * - **A change** of date, services or category takes a place as a new booking does; other changes
     * leave it. What the booking has already is not counted against it: a slot that it is in and a limit
     * that it counts under on that day never refuse it, also where the workshop has fewer bays by now.
     * Changed services at an unchanged date keep the start of the place, whatever the hours say by now;
     * only slots that are new to it must be free, and it must be done by closing time.
     * - Editable: date, serviceCategory, services, carRego, customerName, customerPhone, customerEmail,
     * customerCompany, notes, interval, pickupTime, servicePackageType, jobNotes, productNotes,
     * tyreQuantities. Not editable: workshopId, externalId, car details, status, which has its own
     * operation.
     * - Only fields whose value differs count as changes. An update that changes nothing is 200 with the
     * present booking: same version, same `updatedAt`, no event, nobody notified. The same instant written
     * with another offset is no change.
     * - `null` clears serviceCategory, services, notes, interval, pickupTime, servicePackageType,
     * jobNotes, productNotes, tyreQuantities and customerCompany. For date, carRego, customerName,
     * customerPhone and customerEmail it is 400.
     * - **Order of refusals**: body (400, which names a bad phone too), booking (404), link (403), phone
     * and services together (400), `If-Match` (412), status (409 `060004`).
     * - Lists are replaced whole.
     * - **services**: an item that equals one of the booking's stays as it is stored, whatever the
     * catalogue says by now; each stored one counts once. Equal means `catalogCode`, `title`, `category`,
     * `cost` and `maxCost`, and `catalogId`, `icon` and `color` where they are sent. Any other item is
     * filled as on creation.
     * - **serviceCategory** that no request has named follows changed services. `null` takes a named one
     * back.
     * - In a completed or cancelled booking fields other than notes, jobNotes and productNotes are refused
     * (409 `060004`, which names them) only when they would change: a client may send the whole booking
     * back.
     * - **A new customerPhone** finds or makes that customer and moves the booking to them. The car goes
     * along when no other booking uses it and the new customer has none of that rego; else the new
     * customer's car of that rego is found or made.
     * - **A new carRego** finds or makes that car of the customer. The booking then shows what this
     * partner's latest booking of that car has, not the details of the car before. With a new
     * customerPhone alone the details stay, and those that are absent are filled likewise when the new
     * customer's car of that rego is another one.
     * - The customer's row follows a changed name, e-mail and company. Clearing the company on a booking
     * leaves the row as it is.
     * - `updatedAt` rises with every change, by a millisecond at least, also when the clock stands still.
     * - **If-Match** takes one or more tags or `*`. Proxies that compress change the `ETag` of an answer:
     * `W/"3"` and `"3-gzip"` (also `-br`, `-zstd`, `-deflate`) name version 3 as `"3"` does.
     * - A switched-off link refuses updates (403 `000004`) and allows reads.
     */
    updateBooking(request: {
        path: {
            /** The booking's id. */
            id: string;
        };
        headers?: {
            /** The ETag of the version that this update builds on, as it came; another one gives 412. */
            'If-Match'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: UpdateBookingBody;
    }, options?: CallOptions): Promise<BookingAnswer>;
    /**
     * Confirm, complete or cancel a booking.
     *
     * A pending booking may become confirmed, completed or cancelled, a confirmed one completed or
     * cancelled. The status that it has already changes nothing. The customer is told by SMS and e-mail
     * when it is confirmed or cancelled, the workshop when it is cancelled, unless `skipNotification` is
     * true. The body may be empty. What its own staff has done a workshop can take back within moments:
     * the booking then has its earlier status again, at a higher version, and `bookingUpdated` says so.
     *
     * - `POST /bookings/{id}/{status}`. The word is judged first (400), then body (400), booking (404),
     * link (403), `If-Match` (412), transition (409 `060002`).
     * - The status that the booking has already is 200 and changes nothing: same version, same
     * `updatedAt`, no event, nobody notified; a `reason` with it is not kept.
     * - `reason` is trimmed, may have several lines, and is kept as `cancelReason` of a cancellation
     * alone. With another status it is checked and not kept.
     * - The body may be empty, whatever content type is named for it, chunked too. `Idempotency-Key` is
     * not taken: a repeat changes nothing anyway.
     * - The workshop gives the same statuses, to bookings of every partner, also of one whose link is off.
     * Their events are the partner's as if it had done so itself. The workshop is not notified of what it
     * did itself.
     */
    setBookingStatus(request: {
        path: {
            /** The booking's id. */
            id: string;
            /** The status that it gets. */
            status: 'pending' | 'confirmed' | 'completed' | 'cancelled';
        };
        headers?: {
            /** The ETag of the version that this update builds on, as it came; another one gives 412. */
            'If-Match'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body?: SetBookingStatusBody | undefined;
    }, options?: CallOptions): Promise<BookingAnswer>;
    /**
     * Get a link to the booking page.
     *
     * A page on which a customer chooses a service, a day and a time, and books. Such a booking is yours,
     * as if you had created it. With a person's details (`name`, `phone`, `email`, `rego`), which the page
     * fills in, the link works for 30 days; without them until it is revoked.
     */
    getBookingUrl(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        query?: {
            /** Fills in the name. */
            name?: string | undefined;
            /** Any form that is valid in the workshop's country. */
            phone?: string | undefined;
            /** Fills in the e-mail address. */
            email?: string | undefined;
            /** Fills in the registration. */
            rego?: string | undefined;
            /** Begins with the times for work of this category. */
            serviceCategory?: 'service' | 'tyres' | 'repair' | 'others' | undefined;
            /** Begins with the times for this service of the catalogue. */
            catalogId?: string | undefined;
            /** Your own reference: the booking gets it. */
            externalId?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<GetBookingUrlAnswer>;
    /**
     * Remind a customer of a service.
     *
     * An SMS with a link and a code to book again, sent while you wait, or with `sendAt` at that time. 201
     * with `success: false` means that the request was valid but the SMS was not sent: always check
     * `sms.sent`. With an `Idempotency-Key`, a reminder that was sent is not sent again, and one that
     * failed is attempted again. Shares the 5 requests a second of its workshop and customer with
     * messages.
     *
     * - **Checks** are those of a message, in its order: workshop, feature and flags, phone or customer,
     * booking (404 `060001`, 400 `060001` for another customer's), rate. A scheduled one is checked
     * likewise and uses nothing of the rate.
     * - **`Idempotency-Key`** is kept on the reminder, for its partner, workshop and customer: the same
     * key for another customer is another reminder, and it has nothing to do with a message's
     * `referenceId`. A repeat of one that is scheduled, or was cancelled, answers with it as it is, `sms`
     * null; of one that was sent with the first outcome, `Idempotent-Replayed: true`. One that failed
     * without an SMS, when it fell due, is answered as `failed` and not sent again. Once its SMS is no
     * longer kept (`PITLANE_MESSAGES_KEPT_DAYS`), a repeat answers with the reminder as it is, `sms` null.
     * - **`sendAt`** that is not ahead sends at once, as its absence does. `dueDate` is when it was or is
     * to be sent: the `sendAt` that lies ahead, else when it was made.
     * - **`success: false`** is 201 all the same: the reminder is there, `failed`. An unknown outcome is
     * `failed` too; when a report or the gateway proves later that the SMS went out, it becomes `sent`.
     * - **`/r/{code}`** fills in the rego, the kind of work and the code, greets by first name and car,
     * and has nothing else of the person, since whoever has the code may see it. A first name with three
     * digits in a row is taken for a phone, and not shown. A used or cancelled code leads to the page
     * without it. Wrong codes are bounded as those of manage links are.
     * - **A page that was opened by `/r/{code}`** books without the code once it was used or cancelled, as
     * its next opening would.
     */
    createServiceReminder(request: {
        headers?: {
            /**
             * 1 to 255 characters, kept for good: for the same workshop and customer a request that was sent
             * before is replayed whatever its body says, and one that failed is sent again.
             */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: CreateServiceReminderBody;
    }, options?: CallOptions): Promise<SentReminderAnswer>;
    /**
     * List your service reminders.
     *
     * Newest first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor` is never
     * null: keep it and ask with it again to get what changed since. A cursor goes with the filters of the
     * request that gave it.
     *
     * - **`reminderMonths`**: months by the calendar (31 August and six months is the last of February),
     * 10:00 in the workshop's zone. None when the car has a booking with a later date that is not
     * cancelled, whoever made it; one whose car gets such a booking before it is due becomes `cancelled`
     * when it falls due. The workshop's own bookings schedule none, as a reminder is a partner's.
     */
    listServiceReminders(request?: {
        query?: {
            /** Of one workshop only. */
            workshopId?: string | undefined;
            /** Of one customer only. */
            customerId?: string | undefined;
            /** In this status only. */
            status?: 'scheduled' | 'sent' | 'failed' | 'booked' | 'cancelled' | undefined;
            /** With this reference of yours only. */
            externalId?: string | undefined;
            /**
             * Reminders made or changed at this instant or later, as a feed: in the order in which the changes
             * became visible. Its `nextCursor` is never null: keep it, and ask with it for what changed since.
             */
            updatedSince?: string | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListServiceRemindersAnswer>;
    /**
     * Read a service reminder.
     *
     * One of yours, by its id or by the code that the customer reads out.
     *
     * - **customer and car** are kept as they were known when the reminder was made: a `customerName` that
     * is sent, else this partner's latest booking of the customer, else the customer's row as far as this
     * partner told it; what another partner sent is not shown. The phone is the customer's. `carRego`
     * finds or makes the customer's car; without it the car is that of the last booking.
     * - **When one falls due** it is checked again: it fails when the link, the feature or the inbox is
     * off, the partner suspended, the customer erased or opted out. One that waits for longer than a day
     * for a gateway fails. Its SMS is not repeated when its outcome stays unknown: once no more is tried
     * it is `failed`, and the partner gets `messageFailed` with the state `unknown` once more; a report
     * that comes after all makes it `sent`.
     * - **How to stop it** stands at the end: "Reply STOP to end", or a link where the sender is a name or
     * brings no answers. Where neither works (`noWayOut`) nothing is sent. One that falls due between
     * 20:00 and 08:00 local waits; `dueDate` stays.
     * - **Answers** to a reminder count for its partner, as those to a message do.
     */
    getServiceReminder(request: {
        path: {
            /** The reminder's id, or its code in any notation. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ReminderAnswer>;
    /**
     * Cancel a scheduled reminder.
     *
     * Before its SMS is sent; afterwards, and a second time, it is refused. The body may be empty.
     *
     * - **Cancel** takes the id or the code, needs a link that is on, and is refused (409 `080002`) a
     * second time and once the SMS is under way.
     */
    cancelServiceReminder(request: {
        path: {
            /** The reminder's id, or its code in any notation. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body?: CancelServiceReminderBody | undefined;
    }, options?: CallOptions): Promise<ReminderAnswer>;
    /**
     * Register a call.
     *
     * A call to a workshop, with its outcome. The customer is the one who has the phone, from the moment
     * on in which you have a booking, a quote, a reminder or a message with them; nobody is texted. The
     * same `externalId` again for the workshop updates its call (200): what is not sent stays, `null`
     * clears.
     *
     * - **An `externalId` that the workshop's call has** updates that call, of this partner. Required
     * fields are sent again; of the optional ones those that are not sent stay, and `null` clears. An
     * update that changes nothing is 200 with the present call. Without an `externalId` each request is
     * another call; `Idempotency-Key` is for repeats.
     * - **`callLead.missed`** is recorded once, beside the first event of the call whose outcome is
     * `missed`. When a booking becomes a call's `bookingId`, `callLead.updated` follows, and the call has
     * a new `updatedAt`.
     * - `recordingUrl` is an absolute `http` or `https` address of up to 2,048 characters, without a user
     * name; `durationSeconds` is 0 to 86,400; `calledAt` may lie ahead, since clocks differ.
     */
    recordCall(request: {
        headers?: {
            /** 1 to 255 characters. The same key with the same body within 24 hours replays the first success. */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: RecordCallBody;
    }, options?: CallOptions): Promise<CallLeadAnswer>;
    /**
     * List your calls.
     *
     * The newest call first. A cursor goes with the filters of the request that gave it.
     *
     * - **The list** is ordered by `calledAt`, newest first; `from` ≤ `calledAt` < `to`.
     */
    listCallLeads(request?: {
        query?: {
            /** Of one workshop only. */
            workshopId?: string | undefined;
            /** Called at this instant or later. */
            from?: string | undefined;
            /** Called before this instant. */
            to?: string | undefined;
            /** With this outcome only. */
            outcome?: 'answered' | 'missed' | 'voicemail' | undefined;
            /** With this reference of yours only. */
            externalId?: string | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListCallLeadsAnswer>;
    /**
     * Read a call.
     *
     * One that you registered; calls of other partners are not found.
     *
     * - **customerId and bookingId** are found by the phone whenever a call is read, so they are there in
     * the commit that makes the customer or the booking. `customerId` stays null for a partner that has
     * nothing of its own with that customer. A call makes no customer. An erased person's calls keep both.
     */
    getCallLead(request: {
        path: {
            /** The call's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<CallLeadAnswer>;
    /**
     * Request a quote.
     *
     * The workshop is told by SMS and e-mail, unless `skipNotification` is true. Once it has priced the
     * quote, the customer gets a link by SMS and e-mail, and accepts with a time or declines there:
     * accepting makes a booking. Customer and car are found or made as for a booking.
     *
     * - `skipNotification` suppresses the notice of the request alone. Later notices follow from what the
     * workshop and the customer do.
     * - Services are filled from the catalogue when the quote is requested, and booked as they were then,
     * also where the catalogue has changed since. Details of the car that the request leaves out come from
     * the partner's own earlier booking of the car, as for a booking.
     * - A quote that was declined or has expired can be asked for again on its page: another request of
     * the same partner for the same customer, car, work, notes and `externalId`, once in 24 hours. The
     * workshop gets its notice, and the request counts among what a visitor triggers.
     */
    createQuote(request: {
        headers?: {
            /** 1 to 255 characters. The same key with the same body within 24 hours replays the first success. */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: CreateQuoteBody;
    }, options?: CallOptions): Promise<QuoteAnswer>;
    /**
     * List your quotes.
     *
     * Newest first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor` is never
     * null: keep it and ask with it again to get what changed since, each quote at least once. A cursor
     * goes with the filters of the request that gave it.
     */
    listQuotes(request?: {
        query?: {
            /** Of one workshop only. */
            workshopId?: string | undefined;
            /** In this status only. */
            status?: 'requested' | 'quoted' | 'accepted' | 'declined' | 'expired' | undefined;
            /** With this reference of yours only. */
            externalId?: string | undefined;
            /**
             * Quotes created or changed at this instant or later, as a feed: in the order in which the changes
             * became visible. Its `nextCursor` is never null: keep it, and ask with it for what changed since.
             */
            updatedSince?: string | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListQuotesAnswer>;
    /**
     * Read a quote.
     *
     * One that you requested; quotes of other partners are not found.
     *
     * - `validUntil` is that number of times 24 hours after the pricing. From then on nothing can be done
     * with the quote; its status follows within seconds.
     * - A quantity has at most three decimals, a price two; the total is at most 9,999,999.99. `url` is
     * the address that was sent last; null where the service knows no public address.
     * - Accepting needs an offered time, whether the workshop enforces availability or not. The booking
     * belongs to the quote's partner and has its services, notes and `externalId`; the customer gets the
     * booking's notice, the workshop one notice of both. Two answers at once: the first counts, the other
     * is shown the state of the quote. An answer to a price that the workshop has changed meanwhile
     * changes nothing (409): the page shows the new one.
     * - The workshop may decline a quote that it has priced, too. It gets no notice of that, nor does the
     * customer: the event tells the partner.
     * - The workshop may accept a quote for a customer who says yes on the phone: the same booking of the
     * quote's partner, with the same events. It needs an offered time unless somebody wants it anyway,
     * with a reason that no answer, webhook or feed shows.
     * - The workshop may make a quote of a call. It is a request of the partner whose call it was, who
     * gets `quote.requested` and sees it in its lists; its `externalId` is null, and its customer may have
     * no e-mail address.
     * - A link that is off, or a suspended partner: the page shows the quote, and refuses to answer it
     * (403). The page of an erased customer is gone (404).
     * - A customer who has opted out of SMS gets the e-mail alone.
     * - Events are `quote.requested`, `quote.quoted` (each time that it is priced), `quote.accepted`,
     * `quote.declined`, `quote.expired`, each with the quote as it was then.
     */
    getQuote(request: {
        path: {
            /** The quote's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<QuoteAnswer>;
    /**
     * Send an SMS to a customer.
     *
     * Free text or a published template, through the inbox of the workshop. 200 with `success: false`
     * means that the request was valid but the SMS was not sent: always check `sms.sent`. With a
     * `referenceId`, a call that was sent is not sent again, and one that failed is attempted again. At
     * most 5 requests a second for one workshop and customer.
     *
     * - **Order of checks**: token, body, workshop (404), feature (403 `000003`), link and inbox (403
     * `000004`), phone (400) or customer (404), booking (404, then 400 for another customer's), template
     * (400), rate (429), referenceId (but see there). Of several faults the first is returned. A refusal
     * writes nothing.
     * - `customerId` wins over `phone`, which is then not even looked at. `bookingId` must be a booking of
     * this partner.
     * - Both `message` and `templateId`, or neither: 400. Counting segments includes templates after they
     * are filled.
     * - **Segments** are counted as carriers do: 160 characters of the SMS alphabet, 153 in each of
     * several; those of its extension table (`€ [ ] { } ^ | ~ \`, form feed) count twice. One character
     * outside it: 70, and 67 in each of several; one beyond the basic plane (an emoji) counts twice. No
     * pair lies across two segments, so the count may be one more than the length says, and than Kannel
     * sends, which cuts emoji. A link starts a new segment where it would be cut and that costs none.
     * - **A phone that nobody has** makes a customer, with the phone as name until a booking brings one.
     * In a template for such a phone `customer.name` and `customer.phone` are that phone and the other
     * fields of the customer empty. A template that speaks of `booking` or `car` without `bookingId` is
     * 400.
     * - With a booking, `customer.*` in a template is the booking's contact details. Without, it is those
     * of your own latest booking of the customer, else the workshop's own; when they came from another
     * partner, no more than the phone.
     * - **referenceId** is unique per partner, workshop and customer, for good. A call that was sent
     * replays its outcome, whatever the body says now: the booking and the template that it names are not
     * looked at, so a template may be a draft by then. Body, workshop, feature, customer and rate are: a
     * replay counts, and a replay with an invalid body is 400.
     * - A call that failed is attempted again, as the same message with the same `messageId`, to the same
     * number. It sends **the new call's text** (with its `templateId` and `bookingId`) when the attempt
     * before has failed for certain. It sends **the first text** when the outcome of that attempt is
     * unknown, also when the gateway has just said that it does not have it, or when an attempt before it
     * may have arrived: no customer gets two texts under one referenceId.
     * - Two calls at once send once; the second waits for the first's outcome, 30 seconds at most, then
     * 409 `000009`.
     * - **Unknown outcome**: no response from the gateway within 10 seconds, or a process that died
     * (noticed after 15 seconds). The next call with the referenceId asks the gateway; only where it does
     * not have the message, or can't be asked, is it sent again. Then the attempt carries `repeatsUnknown`
     * if it may have arrived twice. While a gateway that can be asked gives no response, nothing is sent:
     * the call returns `unknownOutcome` once more, and the next one asks again.
     * - **Reasons** (`sms.reason`): `optedOut`, `mayHaveOptedOut` (of service reminders alone: the
     * customer may have asked for no more texts, and the workshop has not decided), `refused`,
     * `temporarilyRefused`, `invalidNumber`, `gatewayUnavailable`, `unknownOutcome`, `countryNotAllowed`,
     * `premiumRate`, `dailyCeiling`, `noWayOut` (of reminders); null when it was sent. `sms.message` is
     * for people. It and `detail` hold the carrier's reason, but not why a gateway can't be used: that is
     * the operator's to read.
     * - **The operator's limits**, against SMS that are sent for the profit of their recipients:
     * premium-rate numbers get no SMS (`premiumRate`); numbers of countries that the operator has not
     * named get none, where any are named, nor do numbers without a country, such as those of satellite
     * phones, unless the operator has named their calling code (`countryNotAllowed`; by the number, not
     * the workshop); after its daily ceiling a partner or workshop gets no more (`dailyCeiling`). They are
     * asked last, just before the gateway, by messages, replies, confirmations and notices alike. A
     * message is 200 with `success: false` and may be repeated; a notice ends `failed`, a booking is never
     * refused, and none is a dead letter. Ceilings count SMS that were handed over (one each, however many
     * segments; not what the gateway certainly refused) in a day of UTC, by the database's clock: it is
     * the operator's bill, which follows no business clock. No ceiling is ever passed; where one has room
     * and another none, an SMS that comes in the same moment may be refused too.
     * - **No gateway free.** A message waits for a gateway's permit for 3 seconds at most. When no gateway
     * gives one, because it is busy or its circuit breaker is open, the response is 200 with
     * `gatewayUnavailable`; nothing was handed over, and a retry by referenceId attempts it again.
     * - Without a referenceId the response's `referenceId` is null.
     * - An opted-out customer's message is kept as failed, with no attempt; no gateway is asked.
     * `optedOut` is also the reason where the carrier keeps a list of its own and refuses for it; then the
     * customer's own record stays as it is, so that SMS go again as soon as the carrier lets them.
     * - An SMS whose hand-over had begun when the opt-out was recorded is sent, for 10 seconds at most.
     * Every later attempt, retries too, checks the opt-out in the statement that starts it.
     */
    sendMessage(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: SendMessageBody;
    }, options?: CallOptions): Promise<SmsResult>;
    /**
     * Read a message that you sent.
     *
     * Its present state, which delivery reports change, and each attempt to send it.
     *
     * - A message from a template has `templateVersion`: which version of it was rendered, from 1. Each
     * change of a template makes one; `templateId` always sends the present one.
     * - **GET /workshops/{id}/messages/{messageId}** shows messages that this partner sent, also when the
     * link is off. It has the state and every attempt; delivery reports change the state there and never
     * an outcome that was returned.
     * - **States** after the hand-over: `accepted`, then `delivered`, `undelivered` or `expired`, which
     * are final.
     * - **`detail`** is the carrier's reason for people, at most 200 characters on one line. Phone
     * numbers, addresses and credentials in it are replaced by `…`. Where a carrier says no more than that
     * it failed, the words are ours.
     * - **Events of a message** carry its version, which rises with each change of its state; some
     * versions have no event. They belong to the partner that sent it.
     */
    getMessage(request: {
        path: {
            /** The workshop's id. */
            id: string;
            /** The message's id. */
            messageId: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<GetMessageAnswer>;
    /**
     * List the published inbox templates.
     *
     * Each can be named as `templateId` of a message. The service fills the placeholders.
     */
    listTemplates(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        query?: {
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListTemplatesAnswer>;
    /**
     * Register an endpoint.
     *
     * From now on each event with one of these actions is delivered to the URL, at least once, signed by
     * the rules of Standard Webhooks. The `secret` is shown in this answer only. You may have 20
     * endpoints.
     *
     * - **`method`** is one of an endpoint; for an action by another method, register a second endpoint.
     * - **A replay of `POST /webhooks`** under its `Idempotency-Key` has no `secret`. The other POSTs of
     * webhooks take no key: a repeat does no harm, and of repeated rotations the five last secrets sign.
     * - **A workshop that is not linked** can't be named (404 `030001`); one whose link is off can.
     */
    createWebhook(request: {
        headers?: {
            /** 1 to 255 characters. The same key with the same body within 24 hours replays the first success. */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: CreateWebhookBody;
    }, options?: CallOptions): Promise<CreateWebhookAnswer>;
    /**
     * List your endpoints.
     *
     * Newest first.
     */
    listWebhooks(request?: {
        query?: {
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListWebhooksAnswer>;
    /**
     * Read an endpoint.
     *
     * One of yours.
     */
    getWebhook(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<GetWebhookAnswer>;
    /**
     * Change an endpoint.
     *
     * Only the fields that are sent change; `null` clears `workshopId` and `description`. What waited
     * while it was disabled is delivered once it is enabled; what happened meanwhile is in the feed of
     * events.
     *
     * - **Disabled.** Nothing is queued meanwhile; what waits stays, and is delivered after `PATCH` with
     * `status: "enabled"`, or when the operator enables it. What the operator has disabled a partner can't
     * enable: 403 `000003`. Another URL begins afresh, too.
     */
    updateWebhook(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: UpdateWebhookBody;
    }, options?: CallOptions): Promise<UpdateWebhookAnswer>;
    /**
     * Delete an endpoint.
     *
     * With its log; what waits for it is not delivered.
     */
    deleteWebhook(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<void>;
    /**
     * Call an endpoint now.
     *
     * One signed delivery with the action `test`, while you wait: 10 seconds at most, from when one of
     * your places for calls is free. It is not repeated; the log has it. A disabled endpoint can be tested
     * too. At most twenty test calls a minute, of all your endpoints together.
     *
     * - **`success`** of a test call is true whatever came back: `delivery.status` says it.
     */
    testWebhook(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body?: TestWebhookBody | undefined;
    }, options?: CallOptions): Promise<TestWebhookAnswer>;
    /**
     * Give an endpoint another secret.
     *
     * The new `secret` is shown in this answer only. For 24 hours deliveries are signed with the one
     * before too, so that a receiver can change over without losing any.
     */
    rotateWebhookSecret(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body?: RotateWebhookSecretBody | undefined;
    }, options?: CallOptions): Promise<RotateWebhookSecretAnswer>;
    /**
     * Read an endpoint's log.
     *
     * Its deliveries of the last 30 days with their attempts, newest first.
     *
     * - **A host without a public address** is one error, whether its name is not known or leads into a
     * private network; it is told after whole seconds, which `durationMs` says.
     * - **A process that ends during an attempt** leaves one in the log without a status; the delivery is
     * made again under the same `webhook-id` when its lease is over (20 seconds).
     */
    listWebhookDeliveries(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        query?: {
            /** In this status only. */
            status?: 'waiting' | 'delivered' | 'failed' | undefined;
            /** Of this action only. */
            action?: 'bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated' | 'test' | undefined;
            /** Made at this instant or later. */
            from?: string | undefined;
            /** Made before this instant. */
            to?: string | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListWebhookDeliveriesAnswer>;
    /**
     * Deliver one again.
     *
     * Whatever became of it, with all its retries, under the same `webhook-id`. One that is just being
     * delivered, or was replayed within the last minute, is left as it is: `deliveries` is 0. At most
     * twenty replays a minute, of all your endpoints together.
     */
    replayWebhookDelivery(request: {
        path: {
            /** The endpoint's id. */
            id: string;
            /** The delivery's id. */
            deliveryId: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body?: ReplayWebhookDeliveryBody | undefined;
    }, options?: CallOptions): Promise<ReplayWebhookDeliveryAnswer>;
    /**
     * Deliver all since a time again.
     *
     * Those in one status, or all. Left out are test calls, what is being delivered or due, and what was
     * replayed within the last minute. At most twenty replays a minute, of one delivery or of many, of all
     * your endpoints together.
     *
     * - **Replays.** Twenty calls a minute of a partner, of one delivery and of all since a time together;
     * then 429. One delivery is replayed once a minute: a call within it is 202 with `deliveries: 0`, as
     * for one that is just being delivered, and a replay of all leaves it out. So a repeat after a lost
     * answer does no harm. The log keeps the last 50 attempts of a delivery.
     * - **Replays** queue the same delivery again, with all its retries. `POST …/replay` without `status`
     * is of all; what is under way, due already, or a test call is left out.
     */
    replayWebhookDeliveries(request: {
        path: {
            /** The endpoint's id. */
            id: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: ReplayWebhookDeliveriesBody;
    }, options?: CallOptions): Promise<ReplayWebhookDeliveriesAnswer>;
    /**
     * Read the feed of events.
     *
     * What webhooks deliver, of the last 30 days, whether you have endpoints or not, oldest first.
     * `nextCursor` is never null: keep it, and ask with it again to get what has happened since, each
     * event at least once. `timestamp` is when it happened.
     *
     * - **`GET /events`** begins with the installation's first event after this was there; `since` counts
     * by business time.
     */
    listEvents(request?: {
        query?: {
            /** Of this action only. */
            action?: 'bookingCreate' | 'bookingUpdated' | 'bookingConfirmed' | 'bookingCompleted' | 'bookingCancelled' | 'messageReceived' | 'messageDelivered' | 'messageFailed' | 'customerOptedOut' | 'quoteUpdated' | 'callLeadUpdated' | 'serviceReminderUpdated' | undefined;
            /** Those of this instant or later; 30 days ago at most. */
            since?: string | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListEventsAnswer>;
    /**
     * Read what you did, counted.
     *
     * Your own bookings, call leads, quotes, reminders and SMS between two local dates, counted at this
     * moment. Things are counted in the group in which they were made, with the state that they have now.
     * With `Accept: text/csv` the groups come as CSV.
     *
     * - **Periods**: bookings, quotes and messages count by `createdAt`, call leads by `calledAt`,
     * reminders by `sentAt`. `from` and `to` are required, from 1900 to 2199.
     * - **Present states**: `bookings…` have their status of now, `callLeadsBooked` are calls that have a
     * `bookingId` by now, `quotesAccepted` and `remindersBooked` have that status.
     * - **Messages** are the SMS that carry the partner's id: its own messages, its service reminders, and
     * the texts of automations and blasts that it triggered. Notices of bookings and quotes are the
     * workshop's, and not counted. `messagesSent` were accepted by a gateway (`sms.sent`), whatever became
     * of them, and `smsSegments` are theirs; `messagesDelivered` have a delivery report that says so;
     * `messagesFailed` are `failed`, `undelivered` or `expired`, so one that was accepted and did not
     * arrive is in both. One of unknown outcome is in none of the three.
     * - **Groups**: every period from `from` to `to`, a first and last week or month cut by them, and with
     * `groupBy=workshop` every linked workshop, by id; without `groupBy` one group, `total`. A link that
     * is off hides nothing: the report is about what was done.
     * - **Retention**: what was deleted is not counted any more; an erased person's bookings and messages
     * are.
     * - **Age**: what was done in the last ten seconds may be missing, where the installation reads
     * reports from a replica.
     * - **Accept**: by quality, JSON where both rank alike. What takes neither gets JSON, not 406.
     * Refusals are JSON.
     */
    getPartnerReport(request: {
        query: {
            /** A local date. */
            from: string;
            /** A local date, included; at most 365 days after `from`. */
            to: string;
            /** What you did at this workshop alone. */
            workshopId?: string | undefined;
            /** A group for each, `week` by ISO 8601; absent: one group, `total`. */
            groupBy?: 'day' | 'week' | 'month' | 'workshop' | undefined;
            /**
             * An IANA name, which says when days begin. The workshop's when one is named, else UTC. It is one that
             * Temporal and PostgreSQL both take, written as in IANA's list, so that it means the same everywhere:
             * 400 with the nearest name for others, such as `AET`. Not taken are `CET`, `EET`, `MET` and `WET`
             * either, which PostgreSQL reads as one offset all the year.
             */
            timezone?: string | undefined;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<GetPartnerReportAnswer>;
    /**
     * List the automations of a workshop.
     *
     * Oldest first, paused ones too; also where the link is switched off.
     */
    listAutomations(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        query?: {
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListAutomationsAnswer>;
    /**
     * Trigger an automation for one customer.
     *
     * Any automation can be triggered. The text is due `offsetMinutes` from now, or before the named
     * booking where the automation's trigger is `beforeBooking`, and waits for the end of quiet hours.
     * Conditions are looked at when it is due. Repeats of a `referenceId` for one customer answer the same
     * run, as it is then. At most ten runs an hour of one automation for one customer: repeats do not
     * count.
     *
     * - **Any automation can be triggered**, whatever its own trigger is: due `offsetMinutes` from the
     * call, with `beforeBooking` before the named booking, which is required then (400). A paused one
     * answers a run that is `skipped` for `paused`.
     * - **Ten runs an hour** of one automation for one customer by calls, then 429 with `RateLimit` and
     * `Retry-After`, also for several partners together. Repeats of a `referenceId` do not count.
     * - **`referenceId`** of a run belongs to partner, automation and customer, like that of a message. A
     * run that failed is not sent again by a repeat. An `Idempotency-Key` is taken too.
     * - **What a run is judged by** is the moment when it is due: the automation is active, the booking is
     * not cancelled (for `bookingCreated`, `bookingConfirmed`, `beforeBooking`), has not moved or ended
     * (`beforeBooking`), the conditions hold, the template is published, and a partner that triggered it
     * still may (else `notPermitted`). A scheduled blast whose partner may not trigger it any more when it
     * is due is paused; one that has begun goes on until staff pause it. What comes due during a pause is
     * skipped and not made up for.
     * - **`minDaysSinceLastBooking`** counts from the date of the customer's last other booking that is
     * not cancelled, also one that lies ahead; a customer without one meets it. **`serviceCategories`**
     * asks the booking's category or those of its services; without a booking it is not met.
     * - **`beforeBooking`** has one run for each booking and date. A move plans the new date where a text
     * was waiting for the old one, or where the move notifies the customer. A run whose time is past when
     * it is planned is `skipped` for `tooLate`, and so is one that could only be sent in quiet hours or
     * after the booking began. Bookings from before the automation get none.
     * - **`callMissed`**: the caller becomes a customer. A call that is recorded more than a day after it
     * took place triggers none.
     * - **Runs** that have ended are kept for `PITLANE_NOTICES_KEPT_DAYS` from when they ended.
     */
    triggerAutomation(request: {
        path: {
            /** The workshop's id. */
            id: string;
            /** The automation's id. */
            automationId: string;
        };
        headers?: {
            /** 1 to 255 characters. The same key with the same body within 24 hours replays the first success. */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: TriggerAutomationBody;
    }, options?: CallOptions): Promise<RunAnswer>;
    /**
     * List the blasts of a workshop.
     *
     * Oldest first, with how far each has come; also where the link is switched off.
     */
    listBlasts(request: {
        path: {
            /** The workshop's id. */
            id: string;
        };
        query?: {
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListBlastsAnswer>;
    /**
     * Read a blast.
     *
     * Its status and how far it has come.
     *
     * - **While a blast is paused or its hours are quiet**, what is queued waits untouched: an opt-out or
     * an erasure shows in the counts when the wait ends, at the latest.
     * - **`counts`**: `recipients` = `waiting` + `sent` + `failed` + `unknown` + `skipped`; `delivered` is
     * a part of `sent`. An unknown outcome that a report settles later moves on.
     */
    getBlast(request: {
        path: {
            /** The workshop's id. */
            id: string;
            /** The blast's id. */
            blastId: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<BlastAnswer>;
    /**
     * Trigger a blast.
     *
     * Sends the draft to its audience, now or at `scheduledAt`: to each customer once, not to those who
     * opted out, and not between 20:00 and 08:00 of the workshop. Audience and text are fixed when sending
     * begins. The same `referenceId` answers the same blast again; otherwise a blast that is no draft any
     * more is 409.
     *
     * - **Audience**: a visit is a booking that is past and not cancelled. `lastVisitBefore` is before
     * that local date, `lastVisitAfter` on it or later; both also take an instant. Of `serviceCategories`
     * and `tags` one suffices. Customers who have opted out or have no phone are no recipients. A
     * recipient whose number is of another country than the workshop is skipped, unless they have written
     * or booked from it, or the workshop allows it, for the number or for the blast.
     * - **A blast that is triggered** is `scheduled` in the answer, also for now: sending begins in the
     * background.
     */
    triggerBlast(request: {
        path: {
            /** The workshop's id. */
            id: string;
            /** The blast's id. */
            blastId: string;
        };
        headers?: {
            /** 1 to 255 characters. The same key with the same body within 24 hours replays the first success. */
            'Idempotency-Key'?: string | undefined;
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body?: TriggerBlastBody | undefined;
    }, options?: CallOptions): Promise<BlastAnswer>;
    /**
     * The process runs.
     *
     * Answers as long as the process does; it asks nothing else.
     */
    isLive(request?: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<IsLiveAnswer>;
    /**
     * The process can serve.
     *
     * Its database takes writes; 503 when it does not, and while the process shuts down.
     */
    isReady(request?: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<IsReadyAnswer>;
    /**
     * Look at what was sent.
     *
     * Newest first. The sandbox keeps the last 10,000 messages; `/sandbox` shows them as a page.
     *
     * - `GET /sandbox/messages` shows what was accepted; `outcome=refused` shows the rest. A phone in `to`
     * without country code is read as Australian. `since` and `at` are business time.
     * - `encoding`, `segments` and `cost` are those of an SMS, and null for an e-mail. `cost` is null
     * unless `SANDBOX_SMS_SEGMENT_PRICE` gives the price of a segment.
     */
    listSandboxMessages(request?: {
        query?: {
            /**
             * One recipient: an Australian phone number in any form, another one with its country code, or an
             * e-mail address.
             */
            to?: string | undefined;
            /** SMS or e-mails only. */
            channel?: 'sms' | 'email' | undefined;
            /** What was "sent", or what a number refused. */
            outcome?: 'accepted' | 'refused' | undefined;
            /** Messages of this business time and later. */
            since?: string | undefined;
            /** Items in one answer, at most 1,000. */
            limit?: number | undefined;
            /** The `nextCursor` of the answer before; absent for the first page. */
            cursor?: string | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListSandboxMessagesAnswer>;
    /**
     * Look at a conversation.
     *
     * The SMS to one phone, of all workshops, and what was answered.
     *
     * - `GET /sandbox/conversation?phone=` has the SMS to a phone, of all workshops, refused ones too, and
     * what was answered: the newest hundred of each, oldest first. An answer's `to` is the workshop's
     * name, since the number that it was sent to is not stored.
     */
    readSandboxConversation(request: {
        query: {
            /** The customer: an Australian number in any form, another one with its country code. */
            phone: string;
        };
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ReadSandboxConversationAnswer>;
    /**
     * Answer as the customer.
     *
     * As if a gateway had brought an SMS. It lands in the inbox of its workshop, an unknown sender becomes
     * a customer, the workshop is told, and STOP, START and their like opt the customer out and in.
     *
     * - `POST /sandbox/inbound` is as if a gateway had brought an SMS, each call a new one. `to` may be
     * what a workshop sends from, a name too.
     */
    answerAsCustomer(request: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: AnswerAsCustomerBody;
    }, options?: CallOptions): Promise<AnswerAsCustomerAnswer>;
    /**
     * Read the clock.
     *
     * The business time, by which tokens expire and reminders fall due.
     */
    getClock(request?: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<Clock>;
    /**
     * Move the clock forward.
     *
     * For everything that takes long: the 48 hours of a token, the months of a reminder. By the time of
     * the answer every process has followed.
     *
     * - `POST /sandbox/clock` moves the business clock forward, ten years in all; `DELETE` takes all moves
     * back, as `pitlane clock reset` does. Processes follow within a second.
     */
    advanceClock(request: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
        body: AdvanceClockBody;
    }, options?: CallOptions): Promise<Clock>;
    /**
     * Take all moves of the clock back.
     *
     * The business time is the machine's again. Dates that were given while it was ahead stay; tokens of
     * that time live as long as new ones. By the time of the answer every process has followed.
     */
    resetClock(request?: {
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<Clock>;
    /**
     * Look at the last requests.
     *
     * Newest first: what partners asked, what the service answered, which fields it did not know, and what
     * was wrong. Each process keeps its last 200 in memory; secrets, tokens and passwords are never kept,
     * and with a real gateway no values of bodies are. `/sandbox/requests.html` shows them as a page.
     *
     * - `GET /sandbox/requests` shows the last 200 requests of partners, newest first: those to their
     * operations, refused ones too, and those to no operation that carry an `X-Partner-ID`. Each process
     * keeps its own, in memory, and says which one answered (`processId`). Secrets, tokens, passwords and
     * the queries of links in bodies are shown as `…`. With a real gateway nothing of a body but the names
     * of its fields is kept, and of a path its pattern. Without a sandbox there is no request log.
     */
    listSandboxRequests(request?: {
        query?: {
            /** Requests with this `X-Partner-ID` only. */
            partnerId?: string | undefined;
            /** The request with this `X-Request-Id` only. */
            id?: string | undefined;
            /**
             * `accepted`: answered with a status below 400. `refused`: with another. `ignored`: those with fields
             * that the operation did not know.
             */
            outcome?: 'accepted' | 'refused' | 'ignored' | undefined;
            /** Items in one answer, at most 200. */
            limit?: number | undefined;
        } | undefined;
        headers?: {
            /**
             * With `on` a field of the body or a parameter that the operation does not know is refused with 400,
             * not ignored.
             */
            'Pitlane-Strict'?: 'on' | 'off' | undefined;
        } | undefined;
    }, options?: CallOptions): Promise<ListSandboxRequestsAnswer>;
}
/** How an operation is called. */
export interface OperationEntry {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    /** It needs an access token. */
    readonly signedIn?: true;
    /** It takes an `Idempotency-Key`. */
    readonly keyed?: true;
}
export declare const operations: Readonly<Record<keyof Operations, OperationEntry>>;
