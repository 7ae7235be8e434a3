/**
 * A mistake that the compiler found, in words: `FlowTypeError<"node \"bookng\" is not declared">`. No value has this
 * type, so the compiler prints the message wherever the type is required; of several messages, all.
 */
export type FlowTypeError<Message extends string> = { readonly [Each in Message]: never };
