export { carriedSettings, isWorkflow, lostOfTool, lostSettings } from "./carried.ts";
export { extrasOfGraph, extrasOfNode } from "./extras.ts";
export { reportFaults } from "./faults.ts";
export { isGrowing, mergeJson } from "./json.ts";
export { DEFAULT_MODEL, emitModel } from "./model.ts";
export { hasSameSettings } from "./same_settings.ts";
