/** What people read where nobody has given a name, a phone, an e-mail address or a rego. It is stored as null. */
export const notGiven = 'not given';
