import { liquidText } from "../../shared/mod.ts";

/** Shapes of decimal numbers, with each run of digits replaced by one 0. */
const SHAPES = ["", "+", "-"]
  .flatMap((sign) => ["0", "0.0"].map((digits) => sign + digits))
  .flatMap((number) => ["", "e0", "e+0", "e-0"].map((exponent) => number + exponent));
const DIGITS_AS_ZERO = [..."123456789"].map((digit) => ` | replace: "${digit}", "0"`).join("");
/** Each replacement halves the runs of zeros; eight are enough for more digits than a double has. */
const RUNS_AS_ONE = ' | replace: "00", "0"'.repeat(8);

/** Maximum digits of whole numbers that are compared exactly, as padded texts: account numbers exceed doubles. */
const DIGITS = 40;
/** Maximum length of a literal that a double represents exactly. */
export const SAFE_LENGTH = 15;
const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const ZEROS = `"${"0".repeat(DIGITS)}"`;

/**
 * Compares values that may not be numbers: results of tools, and variables that a call is given. Liquid converts
 * "0x10", "" and "seven" to numbers, so the shape of the value is checked first.
 *
 * @param isLiteral Whether the right side has no variable in it.
 * @param rightSteps Returns steps that assign the right side to a name.
 * @returns The steps and the test; `undefined` if the right side cannot be a number.
 */
export function numberSteps(
  name: string,
  operator: string,
  right: string,
  isLiteral: boolean,
  rightSteps: (target: string) => string,
): { readonly steps: string; readonly test: string } | undefined {
  const literal = right.trim();
  if (isLiteral && !DECIMAL.test(literal)) return undefined;
  const left = `{% assign _cw_l = ${name} | append: "" | strip %}${shapeOf("_cw_l", "_cw_x")}`;
  if (isLiteral && literal.length <= SAFE_LENGTH) {
    const numbers = `{% assign _cw_l = _cw_l | times: 1 %}{% assign _cw_r = "${literal}" | times: 1 %}`;
    return { steps: `${left}${numbers}`, test: `_cw_x == true and _cw_l ${operator} _cw_r` };
  }
  return {
    steps: [
      `${left}{% assign _cw_z = _cw_s %}`,
      `${rightSteps("_cw_r")}{% assign _cw_r = _cw_r | strip %}${shapeOf("_cw_r", "_cw_y")}`,
      "{% assign _cw_a = _cw_l | size %}{% assign _cw_b = _cw_r | size %}",
      `{% if _cw_z == "|0|" and _cw_s == "|0|" and _cw_a <= ${DIGITS} and _cw_b <= ${DIGITS} %}`,
      `{% assign _cw_l = _cw_l | prepend: ${ZEROS} | slice: -${DIGITS}, ${DIGITS} %}`,
      `{% assign _cw_r = _cw_r | prepend: ${ZEROS} | slice: -${DIGITS}, ${DIGITS} %}`,
      "{% else %}{% assign _cw_l = _cw_l | times: 1 %}{% assign _cw_r = _cw_r | times: 1 %}{% endif %}",
    ].join(""),
    test: `_cw_x == true and _cw_y == true and _cw_l ${operator} _cw_r`,
  };
}

/** Returns steps that set a flag if a text is a decimal number. */
function shapeOf(text: string, flag: string): string {
  return [
    `{% assign _cw_s = ${text} | downcase${DIGITS_AS_ZERO}${RUNS_AS_ONE} | prepend: "|" | append: "|" %}`,
    `{% assign _cw_b = _cw_s | remove: "|" | size | plus: 2 %}{% assign _cw_c = _cw_s | size %}`,
    `{% assign ${flag} = false %}`,
    `{% if _cw_b == _cw_c and ${liquidText(`|${SHAPES.join("|")}|`)} contains _cw_s %}{% assign ${flag} = true %}{% endif %}`,
  ].join("");
}
