export { type PointOf, type PointsOf, type PolicyKit, policy } from "./policy.ts";
export {
  type AnyVariable,
  type AtLeastOne,
  type PlatformValues,
  ScenarioBuilder,
  type ScenarioDraft,
  type ScenarioNames,
  scenario,
  type ToolNamed,
  type ValuesOf,
} from "./scenario.ts";
