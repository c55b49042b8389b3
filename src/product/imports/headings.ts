/**
 * The names of columns that are known, as other systems write them (specification: Imports 10). docs/import.md lists the systems.
 */

/** The headings of each field, in order of rank: of columns of different ranks the first is read. In lower case, letters and digits only. */
type Names = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Headings of a person's fields. They are also known behind `customer`, `owner` and the like: `CustomerSurname`, `owner_mobile`. */
const ofPerson = {
  name: [['name', 'customer', 'customername', 'fullname', 'contact', 'contactname', 'client', 'clientname']],
  firstName: [['firstname', 'first', 'givenname', 'forename', 'customerfirstname']],
  lastName: [['lastname', 'last', 'surname', 'familyname', 'customerlastname']],
  phone: [
    [
      ...['mobile', 'mobilenumber', 'mobilephone', 'mobileno', 'mobilephonenumber', 'mob', 'mobileph'],
      ...['cell', 'cellphone', 'cellnumber', 'cellphonenumber', 'cellno', 'handphone', 'phonemobile'],
      ...['sms', 'smsnumber', 'textremindernumber'],
    ],
    [
      ...['phone', 'phonenumber', 'phoneno', 'telephone', 'telephonenumber', 'tel', 'telno', 'ph'],
      ...['contactnumber', 'contactno', 'mainphone', 'primaryphone', 'phone1', 'phone1value'],
    ],
    ['homephone', 'phonehome', 'homenumber', 'afterhoursphone', 'phoneah', 'homephone2'],
    [
      ...['phone2', 'phone3', 'phone2value', 'phone3value', 'phone4value', 'phone5value'],
      ...['otherphone', 'alternatephone', 'altphone', 'secondaryphone', 'carphone'],
    ],
    [
      ...['businessphone', 'workphone', 'phonework', 'phonebusiness', 'officephone', 'daytimephone'],
      ...['businessphone2', 'workphone2', 'companyphone', 'companymainphone', 'ddinumber'],
    ],
  ],
  email: [
    ['email', 'emailaddress', 'mail', 'customeremail'],
    ['email1', 'email1value', 'email1address', 'primaryemail', 'emailid'],
    ['email2', 'email2value', 'email2address', 'email3value', 'email3address', 'homeemail', 'workemail'],
  ],
  company: [
    ['company', 'companyname', 'business', 'businessname', 'organisation', 'organization'],
    ['organizationname', 'organization1name', 'organisationname', 'tradingname'],
  ],
  address: [
    ['address', 'street', 'streetaddress', 'addressline1'],
    ['address1', 'streetaddress1', 'address1street', 'homestreet', 'poaddressline1'],
  ],
  suburb: [
    ['suburb', 'city', 'town'],
    ['locality', 'address1city', 'homecity', 'pocity'],
  ],
  postcode: [
    ['postcode', 'zip', 'zipcode', 'postalcode'],
    ['address1postalcode', 'homepostalcode', 'popostalcode', 'postzip'],
  ],
  tags: [
    ['tags', 'tag', 'labels'],
    ['groupmembership', 'categories'],
  ],
  optedOut: [
    ['optedout', 'optout', 'smsoptout', 'optedoutofsms', 'donottext', 'unsubscribed'],
    ['nosms', 'donotsms', 'donotcontact'],
  ],
} as const satisfies Names;

/** Also known behind `vehicle` and `car`. */
const ofCar = {
  rego: [
    [
      ...[
        'rego',
        'registration',
        'regono',
        'regonumber',
        'registrationnumber',
        'plate',
        'plateno',
        'numberplate',
      ],
      ...['licenseplate', 'licenceplate', 'vehiclerego'],
    ],
    ['reg', 'regnumber', 'registrationno', 'licenseplatenumber', 'licenceplatenumber', 'platenumber'],
  ],
  make: [['make', 'carmake', 'vehiclemake', 'manufacturer']],
  model: [['model', 'carmodel', 'vehiclemodel']],
  year: [
    ['year', 'caryear', 'vehicleyear', 'modelyear', 'yearofmanufacture'],
    ['buildyear', 'yearbuilt', 'yom'],
  ],
  badge: [['badge', 'carbadge', 'variant', 'series']],
  vin: [
    ['vin', 'vinnumber', 'carvin', 'chassis', 'chassisnumber'],
    ['vinno', 'chassisno'],
  ],
} as const satisfies Names;

/** Never behind another word: `CustomerID` is not the row's. */
const ofRow = {
  reference: [
    [
      ...[
        'reference',
        'id',
        'ref',
        'rowid',
        'externalid',
        'bookingid',
        'bookingno',
        'bookingnumber',
        'jobid',
        'jobno',
      ],
    ],
    ['appointmentid', 'inviteeuuid', 'jobnumber', 'bookingref'],
  ],
} as const satisfies Names;

/** Also known behind `booking`, `appointment`, `job`, `event` and `scheduled`. */
const ofVisit = {
  date: [
    ['date', 'bookingdate', 'jobdate', 'appointmentdate', 'day'],
    ['startdate', 'servicedate', 'bookedfor'],
  ],
  time: [['time', 'bookingtime', 'starttime', 'appointmenttime', 'dropofftime']],
  dateTime: [
    ['datetime', 'dateandtime', 'start', 'startsat', 'when', 'appointment', 'bookingdatetime'],
    ['startdatetime', 'startdateandtime', 'startat', 'scheduledat', 'scheduledfor'],
  ],
  services: [
    ['services', 'service', 'job', 'jobtype', 'servicetype', 'work', 'description'],
    ['servicename', 'eventtypename', 'appointmenttype', 'eventtype', 'workrequired', 'type'],
  ],
  notes: [
    ['notes', 'note', 'comments', 'comment', 'remarks'],
    ['meetingnotes', 'customernote', 'customernotes', 'internalnotes'],
  ],
  // A column State may be that of an address.
  status: [
    ['status', 'bookingstatus', 'jobstatus'],
    ['state', 'appointmentstatus'],
  ],
  cancelled: [['cancelled', 'canceled', 'iscancelled', 'iscanceled']],
  noShow: [['noshow', 'markedasnoshow', 'isnoshow', 'didnotattend']],
} as const satisfies Names;

export type ImportField =
  | keyof typeof ofPerson
  | keyof typeof ofCar
  | keyof typeof ofRow
  | keyof typeof ofVisit;

export interface Known {
  readonly field: ImportField;
  readonly rank: number;
}

interface Group {
  readonly names: Names;
  /** Words that may stand before a name. */
  readonly behind: readonly string[];
}

const groups: readonly Group[] = [
  { names: ofRow, behind: [] },
  { names: ofPerson, behind: ['customer', 'cust', 'owner', 'client', 'invitee', 'contact', 'attendee'] },
  { names: ofCar, behind: ['vehicle', 'veh', 'car'] },
];
const visits: Group = { names: ofVisit, behind: ['booking', 'appointment', 'job', 'event', 'scheduled'] };

/** By the plain heading. `of`: whether the file holds bookings. */
export function knownHeadings(of: { readonly bookings: boolean }): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const { names, behind } of of.bookings ? [...groups, visits] : groups)
    for (const [name, one] of named(names)) {
      known.set(name, one);
      // `Owner name` comes after `Name`, and `Customer mobile` before `Phone`.
      for (const word of behind)
        if (!known.has(`${word}${name}`)) known.set(`${word}${name}`, { ...one, rank: one.rank + 0.5 });
    }
  return known;
}

const named = (names: Names): [string, Known][] =>
  Object.entries(names).flatMap(([field, ranks]) =>
    ranks.flatMap((rank, n) =>
      rank.map((name): [string, Known] => [name, { field: field as ImportField, rank: n }]),
    ),
  );
