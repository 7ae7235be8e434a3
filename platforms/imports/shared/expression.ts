import { ALWAYS, all, any, type Logic, not, words } from "./logic.ts";

/** A comparison in an expression, or a single operand, which is true or false by itself. */
export interface Comparison {
  readonly left: string;
  /** `=`, `!=`, `<`, `<=`, `>`, `>=` or `:`; absent for a single operand. */
  readonly operator?: string;
  readonly right?: string;
}

/** Deeper expressions are left in words, so that no document exhausts the stack. */
const MOST_DEPTH = 40;

const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|'[^']*'|\$\{[^}]*\}|\$?[\p{L}_](?:[\p{L}\p{N}_.:-]|"[^"]*")*|\d+(?:\.\d+)?|>=|<=|!=|[=<>:()]|./gu;
const COMPARES = /^(?:>=|<=|!=|[=<>:])$/;

/**
 * Reads an expression of comparisons joined by `and`, `or` and `not`, in capitals or not, with parentheses.
 *
 * @param read Returns the condition of a comparison; `undefined` where there is no equation for it.
 * @param reworded Returns the words of a part that has no equation.
 */
export function readExpression(
  text: string,
  read: (comparison: Comparison) => Logic | undefined,
  reworded: (text: string) => string = (part) => part,
): Logic {
  if (text.trim() === "") return ALWAYS;
  const tokens = (text.match(TOKEN) ?? []).filter((token) => token.trim() !== "");
  return new Reader(tokens, read).whole() ?? words(reworded(text.trim()));
}

/** Reads by descent. A method that returns `undefined` has found something else than an expression of comparisons. */
class Reader {
  readonly #tokens: readonly string[];
  readonly #read: (comparison: Comparison) => Logic | undefined;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[], read: (comparison: Comparison) => Logic | undefined) {
    this.#tokens = tokens;
    this.#read = read;
  }

  whole(): Logic | undefined {
    const logic = this.#list("or");
    return this.#at === this.#tokens.length ? logic : undefined;
  }

  #list(word: "or" | "and"): Logic | undefined {
    const parts: Logic[] = [];
    do {
      const part = word === "or" ? this.#list("and") : this.#single();
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#takes(word));
    const [first] = parts;
    return parts.length === 1 ? first : word === "or" ? any(...parts) : all(...parts);
  }

  #single(): Logic | undefined {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) return undefined;
    const logic = this.#negated() ?? this.#group() ?? this.#comparison();
    this.#depth -= 1;
    return logic;
  }

  #negated(): Logic | undefined {
    const start = this.#at;
    const logic = this.#takes("not") ? this.#single() : undefined;
    if (logic === undefined) this.#at = start;
    return logic && not(logic);
  }

  #group(): Logic | undefined {
    const start = this.#at;
    const logic = this.#takes("(") ? this.#list("or") : undefined;
    // what goes on after the bracket is arithmetic
    if (logic !== undefined && this.#takes(")") && this.#isEnd()) return logic;
    this.#at = start;
    return undefined;
  }

  #isEnd(): boolean {
    const next = this.#tokens[this.#at]?.toLowerCase();
    return next === undefined || next === "and" || next === "or" || next === ")";
  }

  #comparison(): Logic | undefined {
    const left = this.#operand();
    if (left === "") return undefined;
    const operator = this.#tokens[this.#at];
    if (operator === undefined || !COMPARES.test(operator)) return this.#isEnd() ? this.#read({ left }) : undefined;
    this.#at += 1;
    const right = this.#operand();
    return right === "" || !this.#isEnd() ? undefined : this.#read({ left, operator, right });
  }

  /** The text up to a comparison or the end of this part, calls of functions whole. */
  #operand(): string {
    const found: string[] = [];
    let open = 0;
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[this.#at]) {
      if (open === 0 && (COMPARES.test(token) || this.#isEnd())) break;
      open += token === "(" ? 1 : token === ")" ? -1 : 0;
      found.push(token);
      this.#at += 1;
    }
    return found.join(" ");
  }

  #takes(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }
}

/** The content of a quoted text; `undefined` for anything else. */
export function unquoted(text: string): string | undefined {
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/s.exec(text) ?? [];
  return double?.replaceAll(/\\(.)/gs, "$1") ?? single;
}
