/** Rounds to cents as Python does: to the closest cent of the exact value, and to the even one of two. */
export function cents(value: number): number {
  const eighths = value * 8;
  const isTie = Number.isInteger(eighths) && !Number.isInteger(value * 4); // the only numbers half-way between two cents
  if (!isTie) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}

/** A float as Python writes it: `8.0`, `1e+16`. */
export function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = "", exponent = ""] = value.toExponential().split("e");
    const sign = exponent.startsWith("-") ? "-" : "+";
    return `${digits}e${sign}${exponent.replace(/^[+-]/, "").padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/**
 * Computes an expression of numbers, `+ - * / // **` and parentheses, as Python does.
 *
 * @throws {Error} When it is none.
 */
export function computed(expression: string): number {
  const tokens = expression.match(/\d+\.?\d*|\.\d+|\*\*|\/\/|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const fail = () => new Error("invalid syntax");
  const take = (...wanted: readonly string[]): string | undefined => {
    const token = tokens[at];
    if (token === undefined || !wanted.includes(token)) return undefined;
    at += 1;
    return token;
  };
  const sum = (): number => {
    let value = product();
    for (let sign = take("+", "-"); sign; sign = take("+", "-"))
      value = sign === "+" ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let sign = take("*", "/", "//"); sign; sign = take("*", "/", "//")) {
      const right = signed();
      if (sign !== "*" && right === 0) throw new Error("division by zero");
      value = sign === "*" ? value * right : sign === "/" ? value / right : Math.floor(value / right);
    }
    return value;
  };
  const signed = (): number => {
    const sign = take("+", "-");
    if (sign) return sign === "-" ? -signed() : signed();
    return power();
  };
  const power = (): number => {
    const base = atom();
    return take("**") ? base ** signed() : base;
  };
  const atom = (): number => {
    if (take("(")) {
      const value = sum();
      if (!take(")")) throw fail();
      return value;
    }
    const token = tokens[at] ?? "";
    if (!/^[\d.]/.test(token) || /^0\d/.test(token) || !Number.isFinite(Number(token))) throw fail();
    at += 1;
    return Number(token);
  };
  const value = sum();
  if (at < tokens.length) throw fail();
  return value;
}
