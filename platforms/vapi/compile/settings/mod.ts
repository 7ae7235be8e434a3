export { carriedSettings, isWorkflow, lostSettings, reportFaults } from "./carried.ts";
export { extrasOfGraph, extrasOfNode, hasSameSettings } from "./extras.ts";
export { isGrowing, mergeJson } from "./json.ts";
export { DEFAULT_MODEL, emitModel } from "./model.ts";
