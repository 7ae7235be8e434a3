const to = (NextAction: string, ErrorType: string) => ({ NextAction, ErrorType });
const on = (NextAction: string, Operator: string, ...Operands: readonly string[]) => ({
  NextAction,
  Condition: { Operator, Operands },
});

/** A flow as Connect exports it: a menu by keys, a Lambda function, attributes, a comparison and a transfer. */
export const CLINIC = {
  Version: "2019-10-30",
  StartAction: "log",
  Metadata: {
    entryPointPosition: { x: 40, y: 40 },
    name: "Clinic",
    ActionMetadata: { log: { position: { x: 1, y: 2 } } },
  },
  Actions: [
    {
      Identifier: "log",
      Type: "UpdateFlowLoggingBehavior",
      Parameters: { FlowLoggingBehavior: "Enabled" },
      Transitions: { NextAction: "welcome" },
    },
    {
      Identifier: "welcome",
      Type: "MessageParticipant",
      Parameters: { SSML: "<speak>Welcome to the <break time='1s'/> clinic.</speak>" },
      Transitions: { NextAction: "menu", Errors: [to("bye", "NoMatchingError")] },
    },
    {
      Identifier: "menu",
      Type: "GetParticipantInput",
      Parameters: {
        Text: "Press 1 for an appointment, 2 for a doctor.",
        StoreInput: "False",
        InputTimeLimitSeconds: "5",
      },
      Transitions: {
        NextAction: "bye",
        Conditions: [on("lookup", "Equals", "1"), on("doctor", "Equals", "2")],
        Errors: [to("menu", "InputTimeLimitExceeded"), to("menu", "NoMatchingCondition"), to("bye", "NoMatchingError")],
      },
    },
    {
      Identifier: "lookup",
      Type: "InvokeLambdaFunction",
      Parameters: {
        LambdaFunctionARN: "arn:aws:lambda:eu-central-1:123456789012:function:find-patient",
        InvocationTimeLimitSeconds: "8",
        LambdaInvocationAttributes: { phone: "$.CustomerEndpoint.Address" },
      },
      Transitions: { NextAction: "remember", Errors: [to("doctor", "NoMatchingError")] },
    },
    {
      Identifier: "remember",
      Type: "UpdateContactAttributes",
      Parameters: { Attributes: { patient: "$.External.name", channel: "phone" }, TargetContact: "Current" },
      Transitions: { NextAction: "known", Errors: [to("doctor", "NoMatchingError")] },
    },
    {
      Identifier: "known",
      Type: "Compare",
      Parameters: { ComparisonValue: "$.External.visits" },
      Transitions: {
        NextAction: "bye",
        Conditions: [on("doctor", "NumberGreaterThan", "3"), on("bye", "TextStartsWith", "none")],
        Errors: [to("hello", "NoMatchingCondition")],
      },
    },
    {
      Identifier: "hello",
      Type: "MessageParticipant",
      Parameters: { Text: "Hello $.Attributes.patient." },
      Transitions: { NextAction: "bye" },
    },
    {
      Identifier: "doctor",
      Type: "TransferParticipantToThirdParty",
      Parameters: { ThirdPartyPhoneNumber: "+15550100", ThirdPartyConnectionTimeLimitSeconds: "30" },
      Transitions: { NextAction: "bye", Errors: [to("bye", "CallFailed")] },
    },
    { Identifier: "bye", Type: "DisconnectParticipant", Parameters: {}, Transitions: {} },
  ],
};
