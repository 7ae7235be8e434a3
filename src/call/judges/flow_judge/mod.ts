export { FLOW_CRITERION, type FlowJudgement, judgeFlow } from "./judge_flow.ts";
export { hasChoices } from "./path_steps.ts";
