/** The name under which our reference travels with a message, and comes back with what is told of it. */
export const referenceKey = 'reference';
