/**
 * A message from the compiler: `FlowTypeError<"node \"bookng\" is not declared">`. No value has this type, so the
 * compiler prints the message where the type is required. For a union it prints all messages.
 */
export type FlowTypeError<Message extends string> = { readonly [Each in Message]: never };

/** The names of items of a tuple, joined by commas, for a message of the compiler: `retell, vapi-squad, mermaid`. */
export type Listed<Items extends readonly unknown[]> = Items extends readonly [
  infer First extends { readonly name: string },
  ...infer Rest extends readonly unknown[],
]
  ? Rest extends readonly []
    ? First["name"]
    : `${First["name"]}, ${Listed<Rest>}`
  : "";
