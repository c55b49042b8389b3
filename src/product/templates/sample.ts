/** Sample values for previews: each placeholder has one of typical length. Values of the workshop are real. */
import type { TemplateRoot, templateFields } from './fields.ts';

type Sample = {
  readonly [Root in Exclude<TemplateRoot, 'workshop'>]: {
    readonly [Field in (typeof templateFields)[Root][number]]: string;
  };
};

export const sampleVariables: Sample = {
  customer: {
    name: 'Sam Taylor',
    firstName: 'Sam',
    lastName: 'Taylor',
    email: 'sam@mail.example',
    phone: '0491 570 006',
    company: 'Taylor Deliveries',
  },
  booking: {
    code: '7K3M9QXW',
    date: 'Mon 4 Mar 2030',
    time: '9:30 am',
    dateTime: 'Mon 4 Mar 2030, 9:30 am',
    previousDateTime: 'Fri 1 Mar 2030, 2:00 pm',
    notes: 'There is a noise when it brakes.',
    services: 'Logbook service, Brake check',
    servicePackageType: 'standard',
    pickupTime: 'Mon 4 Mar 2030, 4:00 pm',
    status: 'confirmed',
    externalId: 'REF-1001',
    cancelReason: 'The part has not arrived.',
  },
  quote: {
    code: '7K3M9QXW2P',
    status: 'quoted',
    services: 'Front brake pads',
    lines: 'Brake pads $189, Labour $180',
    total: '$369',
    validUntil: 'Mon 18 Mar 2030, 9:30 am',
    message: 'We would do both front wheels.',
    notes: 'There is a noise when it brakes.',
    url: 'https://pitlane.example/q/7K3M9QXW2P',
    externalId: 'REF-1001',
  },
  car: {
    rego: 'ABC123',
    make: 'Toyota',
    model: 'Corolla',
    year: '2019',
    badge: 'Ascent Sport',
    vin: 'JTDBR32E720012345',
    description: '2019 Toyota Corolla Ascent Sport',
  },
};
