export { mockText, type SentMocks, sentMocks } from "./mocks.ts";
export {
  AGENT_ID,
  type AgentReference,
  checkTalkOptions,
  endpointOf,
  PLATFORM_OPTION_RULES,
  type PlatformOptions,
  type TalkFacts,
} from "./talk_facts.ts";
