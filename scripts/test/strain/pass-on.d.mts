/** From now on each child process of this one gets these variables, and hands them on. Call the result to end that. */
export function passOn(variables: Readonly<Record<string, string>>): () => void;
