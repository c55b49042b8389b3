/** The name under which our reference travels with a message, and comes back with its reports and answers. */
export const referenceKey = 'reference';
