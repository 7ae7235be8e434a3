export { callAnswer, findCall, recordingFile } from "./call_answer.ts";
export { proposeScenarioAnswer, scenarioAnswer } from "./scenario_answer.ts";
