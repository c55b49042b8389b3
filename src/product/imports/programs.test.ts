/** Files as other programs write them are read whole: their headings, their ways to write values, their states (specification: Imports 10 and 11; Imports 12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from '../../../test/fixtures/import-rows.ts';
import type { ImportKind } from './columns.ts';

const csv = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** The values of the first row that are there. */
async function first(kind: ImportKind, content: string): Promise<Record<string, unknown>> {
  const { good, faults } = await readRows(kind, content);
  assert.deepEqual(faults, []);
  const [row = assert.fail('no row')] = good;
  const { customer, car, booking } = row;
  const services = booking?.services.map((each) => ('item' in each ? each.item.title : ''));
  const all = {
    ...customer,
    ...car,
    ...booking,
    ...(booking && { date: booking.date.toISOString(), services }),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null && value !== false && String(value) !== ''),
  );
}

const kim = { name: 'Kim Doe', firstName: 'Kim', lastName: 'Doe', email: 'kim@customer.example' };

test('a contact list of Google has its numbers, and its own labels are no tags', async () => {
  const content = csv(
    'First Name,Middle Name,Last Name,Organization Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - City',
    'Kim,,Doe,Fleet Pty,,* myContacts ::: Regular,* ,kim@customer.example,Mobile,0400 000 011 ::: 0400 000 012,Carlton',
  );
  assert.deepEqual(await first('customers', content), {
    ...{ ...kim, phone: '+61400000011', company: 'Fleet Pty', suburb: 'Carlton', tags: ['Regular'] },
  });
  const { questions, notes } = await readRows('customers', content);
  assert.deepEqual(questions, []);
  assert.deepEqual(notes, [
    'Phone 1 - Value is taken of several numbers: the others are not imported (line 2)',
  ]);
  // Of several columns the mobile number is taken, whatever its place.
  const two = csv('Name,Phone 1 - Value,Phone 2 - Value', 'Kim Doe,03 9555 0199,0400 000 011');
  assert.equal((await first('customers', two))['phone'], '+61400000011');
});

test('a file with Phone and Mobile: Mobile wins, Phone fills, in either order and in lists of Xero and Outlook', async () => {
  const content = csv(
    'First Name,Last Name,Phone,Mobile,Email',
    'Kim,Doe,(03) 9555 0199,0400 000 051,kim@customer.example',
    'Sam,Roe,(03) 9555 0198,,sam@customer.example',
    'Pat,Poe,0400 000 053,-,',
  );
  const { good, faults } = await readRows('customers', content);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    good.map(({ customer }) => customer.phone),
    ['+61400000051', '+61395550198', '+61400000053'],
  );
  const outlook = csv(
    'First Name,Last Name,Business Fax,Business Phone,Home Phone,Mobile Phone,E-mail Address,E-mail 2 Address,Categories',
    'Kim,Doe,03 9555 0111,03 9555 0112,03 9555 0113,,kim@customer.example,,VIP;Fleet',
  );
  assert.deepEqual(await first('customers', outlook), {
    ...{ ...kim, phone: '+61395550113', tags: ['VIP', 'Fleet'] },
  });
  assert.deepEqual((await readRows('customers', outlook)).questions, [], 'a fax is nobody to text');
  const xero = csv(
    '*ContactName,EmailAddress,POAddressLine1,POCity,POPostalCode,PhoneNumber,FaxNumber,MobileNumber',
    'Kim Doe,kim@customer.example,1 Road,Carlton,3053,03 9555 0112,,0400 000 051',
  );
  assert.deepEqual(await first('customers', xero), {
    ...{ ...kim, phone: '+61400000051', address: '1 Road', suburb: 'Carlton', postcode: '3053' },
  });
});

test('a mobile number that cannot be read is a fault of its own column, and of a filling one too', async () => {
  const { faults } = await readRows(
    'customers',
    csv('Name,Phone,Mobile', 'Kim,03 9555 0199,12', 'Sam,34,', 'Pat,34,0400 000 051'),
  );
  assert.deepEqual(
    faults.map(({ line, column }) => [line, column]),
    [
      [2, 'Mobile'],
      [3, 'Phone'],
    ],
  );
});

test('headings of a dealer system have the word of their table before them; its own id is not the row’s', async () => {
  const content = csv(
    'CustomerID,CustomerFirstName,CustomerSurname,CustomerMobileNumber,owner_email,VehicleRegistration,veh_make,VehicleYear,Owner Name',
    "7,Kim,Doe,'0491570156,kim@customer.example,ABC123,Toyota,2009.0,",
    "7,Kim,Doe,'0491570156,kim@customer.example,ABC124,Toyota,2010,",
  );
  assert.deepEqual(await first('customers', content), {
    ...{ ...kim, phone: '+61491570156', rego: 'ABC123', make: 'Toyota', year: 2009 },
  });
});

test('of two headings of one field the plain one is read', async () => {
  const { good, ignored } = await readRows(
    'customers',
    csv('Owner name,Name,Mobile,Status', 'Owner,Kim Doe,0491570156,active'),
  );
  assert.deepEqual([good[0]?.customer.name, ignored], ['Kim Doe', ['Owner name', 'Status']]);
});

test('appointments of Calendly, Acuity, Fresha and Square: day and time in one column, and the states', async () => {
  const calendly = csv(
    'User Name,Invitee Name,Invitee First Name,Invitee Last Name,Invitee Email,Text Reminder Number,Event Type Name,Start Date & Time,End Date & Time,Event Created Date & Time,Canceled,Canceled By,Marked as No-Show,User Email,Event UUID,Invitee UUID',
    'Jo,Kim Doe,Kim,Doe,kim@customer.example,+61 491 570 156,Brakes,2026-03-03 11:00 am,2026-03-03 11:30 am,2026-03-02 01:40 am,false,,Yes,jo@shop.example,e1,i1',
    'Jo,Kim Doe,Kim,Doe,kim@customer.example,+61 491 570 156,Brakes,2026-03-04 11:00 am,2026-03-04 11:30 am,2026-03-02 01:40 am,true,Kim,No,jo@shop.example,e2,i2',
  );
  const person = { ...kim, phone: '+61491570156', services: ['Brakes'] };
  assert.deepEqual(await first('bookings', calendly), {
    ...{ ...person, date: '2026-03-03T00:00:00.000Z', status: 'confirmed', isNoShow: true },
  });
  const { good, questions } = await readRows('bookings', calendly);
  assert.deepEqual([good[1]?.booking?.status, good[1]?.booking?.isNoShow], ['cancelled', false]);
  assert.deepEqual(questions, [], 'the e-mail of the host is no customer’s');

  const acuity = csv(
    'Start Time,End Time,First Name,Last Name,Phone,Email,Type,Calendar,Date Scheduled,Appointment ID',
    '"March 3, 2026 11:00 am","March 3, 2026 12:00 pm",Kim,Doe,\'0491570156,kim@customer.example,Brakes,Bay 1,2026-02-01,123456',
  );
  assert.deepEqual(await first('bookings', acuity), {
    ...{ ...person, date: '2026-03-03T00:00:00.000Z', status: 'completed' },
  });

  const fresha = csv(
    'Ref #,Client,Service,Created by,Created date,Scheduled date,Duration,Team member,Price,Status',
    '#A1,Kim Doe,Brakes,Jo,"1 Feb 2026, 16:14","3 Mar 2026, 11:00am",1h,Jo,A$10.00,No-show',
  );
  const { email: _, phone: __, ...named } = person;
  assert.deepEqual(await first('bookings', fresha), {
    ...{ ...named, date: '2026-03-03T00:00:00.000Z', status: 'confirmed', isNoShow: true },
  });

  const square = csv(
    'Start,End,Client,Client Phone,Service,Staff,Status',
    "2026-03-03 11:00 AM,2026-03-03 12:00 PM,Kim Doe,'+61491570156,Brakes,Jo,CANCELLED_BY_CUSTOMER",
  );
  assert.deepEqual(await first('bookings', square), {
    ...{ ...named, phone: '+61491570156', date: '2026-03-03T00:00:00.000Z', status: 'cancelled' },
  });
});

test('a no-show that is still to come is confirmed, and an unknown state is a fault', async () => {
  const { good, faults } = await readRows(
    'bookings',
    csv('Date,Time,Name,Status', '2027-03-03,9:00,Kim,No show', '2026-03-03,9:00,Kim,Perhaps'),
  );
  assert.deepEqual([good[0]?.booking?.status, good[0]?.booking?.isNoShow], ['confirmed', false]);
  assert.deepEqual(
    faults.map(({ line, column }) => [line, column]),
    [[3, 'Status']],
  );
});

test('N/A, dashes, an apostrophe before a value and .0 behind it are no part of it', async () => {
  const content = csv(
    'Name,Mobile,E-mail,Postcode,Registration,Model,Year,VIN,Company',
    "Kim Doe,'0491570156,n/a,3053.0,'ABC123,-,2009.0,N/A,'t Hooft",
  );
  const { email: _, ...named } = kim;
  assert.deepEqual(await first('customers', content), {
    ...{ ...named, phone: '+61491570156', postcode: '3053', rego: 'ABC123', year: 2009, company: "'t Hooft" },
  });
  const { faults } = await readRows('customers', csv('Name,Mobile', '-,N/A'));
  assert.match(faults[0]?.message ?? '', /neither a mobile number nor a name/);
});
