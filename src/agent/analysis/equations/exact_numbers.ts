/** Numbers with more digits than this are not written out. */
const MOST_DIGITS = 20_000;

/**
 * Sample numbers around the given ones, one for every way to compare with them: each number, the number plus and minus
 * one, and one number between each two neighbours. Exact decimals without needless zeros.
 *
 * @returns `undefined` when a number has too many digits.
 */
export function numbersAround(points: readonly string[]): readonly string[] | undefined {
  const parsed = points.map(parse);
  if (parsed.some((each) => each === undefined)) return undefined;
  const known = parsed.flatMap((each) => each ?? []);
  // with one digit more, there is a number between any two
  const scale = 1 + Math.max(0, ...known.map(({ decimals }) => decimals));
  const values = known.map(({ digits, decimals }) => digits * 10n ** BigInt(scale - decimals));
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const one = 10n ** BigInt(scale);
  const around = sorted.flatMap((value, index) => {
    const next = sorted[index + 1];
    return [value, value + one, value - one, ...(next === undefined ? [] : [(value + next) / 2n])];
  });
  return [...new Set(around)].map((value) => spelled(value, scale));
}

function parse(text: string): { readonly digits: bigint; readonly decimals: number } | undefined {
  const [mantissa = "", exponent = "0"] = text.trim().split(/e/i);
  const [whole = "", fraction = ""] = mantissa.replace(/^\+/, "").split(".");
  const power = Number(exponent) - fraction.length;
  if (Math.abs(Number(exponent)) + whole.length + fraction.length > MOST_DIGITS) return undefined;
  const digits = BigInt(whole + fraction);
  return power < 0 ? { digits, decimals: -power } : { digits: digits * 10n ** BigInt(power), decimals: 0 };
}

function spelled(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}
