/**
 * A mistake in a flow that the compiler found, said in words: `FlowTypeError<"node \"bookng\" is not declared">`. No
 * value has this type, so wherever it is asked for, the compiler prints the message.
 */
export interface FlowTypeError<Message extends string> {
  readonly __flowTypeError__: Message;
}
