import type { Vapi } from "@vapi-ai/server-sdk";
import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";

type RetellNode = ConversationFlowCreateParams["nodes"][number];
type PartialOfEach<Shape> = Shape extends unknown ? Partial<Shape> : never;

/** Fields of a Retell node, as its SDK has them. */
export type RetellNodeFields = PartialOfEach<RetellNode>;
/** Fields of a Retell conversation flow, as its SDK has them. */
export type RetellFlowFields = Partial<ConversationFlowCreateParams>;
/** Fields of a Vapi assistant, as its SDK has them. */
export type VapiNodeFields = Partial<Vapi.CreateAssistantDto>;
/** Fields of a Vapi squad, as its SDK has them. */
export type VapiFlowFields = Partial<Vapi.CreateSquadDto>;
