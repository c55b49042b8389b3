/** Which PINs are accepted: six digits that are not among those tried first. */

const digits = 6;

/** Why a PIN is refused; null: it is accepted. */
export function pinFault(pin: string): string | null {
  if (!/^[0-9]{6}$/.test(pin)) return `has ${digits} digits`;
  const isSimple = isRun(pin) || [1, 2, 3].some((length) => isRepeated(pin, length)) || isPairs(pin);
  return isSimple ? 'is too easy to guess: no row such as 123456, and nothing that repeats' : null;
}

/** Each digit is the previous one plus one, or minus one; 0 follows 9. */
function isRun(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10);
  return new Set(steps).size === 1 && (steps[0] === 1 || steps[0] === 9);
}

/** `121212`, `135135`. */
const isRepeated = (pin: string, length: number) => pin.slice(0, length).repeat(digits / length) === pin;

/** `112233`, `111222`. */
const isPairs = (pin: string) => /^(.)\1(.)\2(.)\3$/.test(pin) || /^(.)\1\1(.)\2\2$/.test(pin);
