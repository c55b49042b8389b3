/** The metadata key of our reference: sent with a message, and returned in its callbacks. */
export const referenceKey = 'reference';
