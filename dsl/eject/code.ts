/** A piece of TypeScript before it is laid out in lines. */
export type Code =
  | { readonly kind: "atom"; readonly text: string; readonly is: "string" | "number" | "name" }
  | { readonly kind: "template"; readonly text: string }
  | { readonly kind: "object"; readonly entries: readonly Property[]; readonly open: boolean }
  | { readonly kind: "array"; readonly items: readonly Code[] }
  | { readonly kind: "call"; readonly callee: string; readonly args: readonly Code[] }
  | { readonly kind: "chain"; readonly head: Code; readonly calls: readonly Call[] }
  | { readonly kind: "arrow"; readonly params: string; readonly body: Code };

/** A property of an object. */
export interface Property {
  readonly key: string;
  readonly value: Code;
  /** Lines above it. */
  readonly comment?: string;
}

/** A call of a method, in a chain of them. */
export interface Call {
  readonly name: string;
  readonly args: readonly Code[];
}

/** An identifier, or an expression that never breaks. */
export function name(text: string): Code {
  return { kind: "atom", text, is: "name" };
}

/** An object; `open`: one property a line, however short it is. */
export function object(entries: readonly Property[], open = false): Code {
  return { kind: "object", entries, open };
}

/** A list. */
export function array(items: readonly Code[]): Code {
  return { kind: "array", items };
}

/** A call of a function. */
export function call(callee: string, ...args: readonly Code[]): Code {
  return { kind: "call", callee, args };
}
