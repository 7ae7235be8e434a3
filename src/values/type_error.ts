/**
 * A message from the compiler: `FlowTypeError<"node \"bookng\" is not declared">`. No value has this type, so the
 * compiler prints the message where the type is required. For a union it prints all messages.
 */
export type FlowTypeError<Message extends string> = { readonly [Each in Message]: never };
