/** The words that people read in place of an absent name, phone, e-mail address or rego. It is stored as null. */
export const notGiven = 'not given';
