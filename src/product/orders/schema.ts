/** Wire shapes of the customer and car of an order, as the partner sent them. */
import { Type } from 'typebox';
import { nullable, out } from '#platform/http/fields.ts';

export const Car = Type.Object(
  {
    id: out.uuid("The car's reference."),
    customerId: out.uuid('Whose it is.'),
    rego: out.string('Registration, in upper case without white space.'),
    year: nullable(out.integer('The year it was made.')),
    make: nullable(out.string('Who made it.')),
    model: nullable(out.string('The model.')),
    badge: nullable(out.string('The variant of the model.')),
    vin: nullable(out.string('Vehicle identification number.')),
  },
  { $id: 'Car', description: "A customer's car, as you described it." },
);

export const Customer = Type.Object(
  {
    id: out.uuid('The `customerId` of a message or a reminder.'),
    workshopId: out.uuid('Whose customer it is.'),
    name: out.string('The full name, as you sent it.'),
    firstName: nullable(out.string('The first word of the name, without `,`, `;` and `:` at its end.')),
    lastName: nullable(out.string('The rest of the name.')),
    email: nullable(out.string('The e-mail address.')),
    phone: nullable(out.string('E.164.')),
    company: nullable(out.string('The company.')),
    address: nullable(out.string('Street and number.')),
    postcode: nullable(out.string('The postcode.')),
    suburb: nullable(out.string('Suburb or town.')),
  },
  { $id: 'Customer', description: "A workshop's customer, with the contact details that you sent." },
);
