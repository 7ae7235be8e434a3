export { addToAudit, type Deed, finishAudit, listAudit } from "./audit.ts";
export { listCalls, readNeighbours, readRepetitions } from "./calls.ts";
export { type Coalesced, createCoalesced } from "./coalesced.ts";
export { addEvent, eventBounds, readEventsAfter, type StoredEvent } from "./events.ts";
export { readExamples } from "./examples.ts";
export { deleteLabel, listLabels, readAgreement, saveLabel } from "./labels.ts";
export { createLatest, type Latest } from "./latest.ts";
export { createNewGroups, type NewGroup } from "./new_groups.ts";
export { countsKey, openStudioData, type StudioData } from "./open_data.ts";
export { readQueue } from "./queue.ts";
export { rateOf } from "./rows.ts";
export { criteriaOf, readScenarios, readTrend } from "./run_details.ts";
export {
  countAll,
  type IsRunning,
  type KnownAgent,
  listAgents,
  listRuns,
  listVersions,
  newestRun,
  readRunSummary,
  runNamed,
  runOfVersion,
} from "./runs.ts";
export { indexWords, searchCalls } from "./search.ts";
export { createToken, findToken, listTokens, revokeToken, type TokenRecord } from "./tokens.ts";
