/**
 * A message from the compiler: `FlowTypeError<"node \"bookng\" is not declared">`. No value has this type, so the
 * compiler prints the message where the type is required; of a union, all messages.
 */
export type FlowTypeError<Message extends string> = { readonly [Each in Message]: never };
