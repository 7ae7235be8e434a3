/** An expression of TypeScript, before it is laid out in lines. */
export type Code =
  | { readonly kind: "atom"; readonly text: string; readonly is: "string" | "number" | "name" }
  | { readonly kind: "template"; readonly text: string }
  | { readonly kind: "object"; readonly entries: readonly Property[]; readonly open: boolean }
  | { readonly kind: "array"; readonly items: readonly Code[] }
  | { readonly kind: "call"; readonly callee: string; readonly args: readonly Code[] }
  | { readonly kind: "chain"; readonly head: Code; readonly calls: readonly MethodCall[] }
  | { readonly kind: "arrow"; readonly params: string; readonly body: Code };

export interface Property {
  readonly key: string;
  readonly value: Code;
  /** Comment lines above it. */
  readonly comment?: string;
}

/** A method call in a chain. */
export interface MethodCall {
  readonly name: string;
  readonly args: readonly Code[];
}

/** An identifier, or an expression that never breaks. */
export function name(text: string): Code {
  return { kind: "atom", text, is: "name" };
}

/** An object; `open` puts each property on its own line, even if it is short. */
export function object(entries: readonly Property[], open = false): Code {
  return { kind: "object", entries, open };
}

export function array(items: readonly Code[]): Code {
  return { kind: "array", items };
}

export function call(callee: string, ...args: readonly Code[]): Code {
  return { kind: "call", callee, args };
}
