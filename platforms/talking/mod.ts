export { CALL_VOICE, voiceOptionsOf } from "./call_voice.ts";
export { checkVersion, lookUp } from "./look_up.ts";
export { mockText, type SentMocks, sentMocks } from "./mocks.ts";
export {
  type Field,
  messagesIn,
  numberIn,
  readFields,
  textIn,
  textsIn,
  writeMessage,
} from "./protobuf.ts";
export {
  AGENT_ID,
  AGENT_OPTION_RULES,
  type AgentOptions,
  type AgentReference,
  checkTalkOptions,
  endpointOf,
  type TalkFacts,
} from "./talk_facts.ts";
