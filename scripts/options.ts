/** The options of a script, as they were typed. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Read<Of extends Options> = ReturnType<typeof parseArgs<{ readonly options: Of }>>['values'];

/** Their values. Other arguments end the process with 2, after a line that says so, and the usage. */
export function optionsOf<const Of extends Options>(options: Of, usage: string): Read<Of> {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message, usage);
  }
}

/** The whole number of an option; another value ends the process in the same way. */
export function wholeNumber(
  name: string,
  value: string,
  { least, most }: { readonly least: number; readonly most: number },
  usage: string,
): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  return refuse(`--${name} is a whole number from ${least} to ${most}, not "${value}"`, usage);
}

function refuse(message: string, usage: string): never {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}
