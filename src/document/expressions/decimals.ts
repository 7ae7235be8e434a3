/** A decimal number: sign, digits without leading zeros, and power of ten of the first digit. */
interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly digits: string;
  readonly magnitude: number;
}

/**
 * Compares two texts as decimal numbers, exactly: floats could not tell account numbers of 20 digits apart.
 *
 * @returns Less than, equal to or greater than 0; `undefined` unless both are numbers (optional sign, digits, optional
 *   fraction and exponent, surrounding spaces).
 */
export function compareDecimals(a: string, b: string): number | undefined {
  const [left, right] = [readDecimal(a), readDecimal(b)];
  if (!left || !right) return undefined;
  if (left.sign !== right.sign || left.sign === 0) return left.sign - right.sign;
  if (left.magnitude !== right.magnitude) return left.sign * (left.magnitude - right.magnitude);
  if (left.digits === right.digits) return 0;
  const length = Math.max(left.digits.length, right.digits.length);
  return left.digits.padEnd(length, "0") < right.digits.padEnd(length, "0") ? -left.sign : left.sign;
}

/** Whether a text is a decimal number for {@link compareDecimals}. */
export function isDecimal(text: string): boolean {
  return readDecimal(text) !== undefined;
}

function readDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, "").length;
  const digits = withoutTrailingZeros(all.slice(leading));
  if (digits === "") return { sign: 0, digits, magnitude: 0 };
  return { sign: sign === "-" ? -1 : 1, digits, magnitude: whole.length - leading + Number(exponent) };
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
