export type { EachReply, EachReplyOptions } from "./each_reply.ts";
export { type PointOf, type PointsOf, type PolicyKit, policy } from "./policy.ts";
export { ScenarioBuilder, scenario } from "./scenario.ts";
export type {
  AnyVariable,
  AtLeastOne,
  CallerSpeechOptions,
  PlatformValues,
  ScenarioDraft,
  ScenarioNames,
  ToolNamed,
  ValuesOf,
} from "./scenario_draft.ts";
