import type { EntryPoint, PublicSymbol } from "./symbols.ts";

/** A page of the reference. */
export interface Topic {
  readonly page: string;
  readonly title: string;
  readonly about: string;
  readonly has: (symbol: PublicSymbol) => boolean;
}

const inFolder =
  (...folders: readonly string[]) =>
  ({ file }: Pick<PublicSymbol, "file">) =>
    folders.some((folder) => file === folder || file.startsWith(`${folder}/`));

/** Symbols of some folders or files, and others by name. */
const inFolderOr =
  (names: readonly string[], ...folders: readonly string[]) =>
  (symbol: Pick<PublicSymbol, "file" | "name">) =>
    names.includes(symbol.name) || inFolder(...folders)(symbol);

/** What each entry point is for. */
export const ENTRIES: Readonly<Record<EntryPoint, string>> = {
  callweave: "flows, scenarios and runs; agents of platforms are read and written",
  "callweave/deploy": "plan, apply, compare and roll back deployments",
  "callweave/calls": "real and stored calls: import, judge, replay and repair them; workers",
  "callweave/analysis": "checks, paths, coverage, differences and pictures of graphs, and edits by code",
  "callweave/statistics": "repeated trials, comparisons of runs, latency, agreement of the judge",
  "callweave/platforms": "formats as objects, TypeScript from an agent, secrets, platforms' own tests",
  "callweave/reporters": "reports as text and files",
  "callweave/testing": "scenarios as tests of a test runner",
  "callweave/connect": "connections to agents where they run, and what they report",
  "callweave/client": "a typed client of the studio's API, for programs and browsers",
  "callweave/types": "types that those of `callweave` consist of; programs rarely name them",
};

/** The pages, in reading order; a symbol is on the first page that lists it. */
export const TOPICS: readonly Topic[] = [
  {
    page: "types",
    title: "Types of flows",
    about: "Types by which the compiler checks flows and scenarios while they are typed. Programs do not need them.",
    has: ({ entry, file }) => entry === "callweave/types" && inFolder("dsl", "platforms")({ file }),
  },
  {
    page: "scenarios",
    title: "Scenarios",
    about: "Simulated calls and what they must do to pass. [Scenarios](../scenarios.md) explains them.",
    has: inFolderOr(
      ["MockAnswer", "TypedTool"],
      "dsl/scenarios/scenario.ts",
      "src/document/scenario",
      "src/run/generate",
      "src/agent/analysis/play",
    ),
  },
  {
    page: "flows",
    title: "Flows",
    about: "Writing an agent in TypeScript. [Flows](../flows.md) explains it.",
    has: inFolder("dsl", "src/base/values"),
  },
  {
    page: "platforms",
    title: "Platforms",
    about: "Reading and writing the agents of platforms. [Formats](../formats.md) lists them.",
    has: inFolder("platforms"),
  },
  {
    page: "graphs",
    title: "Graphs",
    about: "The AgentGraph document: checks, pictures, secrets, and how prompts and equations are evaluated.",
    has: inFolder(
      "src/document/graph",
      "src/agent/analysis",
      "src/agent/check",
      "src/agent/draw",
      "src/document/secrets",
      "src/base/redaction",
      "src/document/expressions",
    ),
  },
  {
    page: "models",
    title: "Models",
    about: "Models, prices, retries and recordings. [Model calls](../model-calls.md) explains them.",
    has: inFolder("src/call/models"),
  },
  {
    page: "testing",
    title: "callweave/testing",
    about:
      "Scenarios as tests of a test runner, and attacks. [Tests in your runner](../testing.md) and [attacking an agent](../attacking-an-agent.md) explain them.",
    has: ({ entry }) => entry === "callweave/testing",
  },
  {
    page: "connect",
    title: "callweave/connect",
    about: "Connections to agents where they run. [Agents of your own](../live-agents.md) explains them.",
    has: inFolder("src/call/connection"),
  },
  {
    page: "client",
    title: "callweave/client",
    about: "The typed client of the studio's API. [REST](../rest.md) explains the routes.",
    has: inFolder("src/surface/studio"),
  },
  {
    page: "results",
    title: "Results",
    about: "Reports, transcripts and the [results database](../results-database.md).",
    has: (symbol) =>
      symbol.name !== "CallbackError" &&
      inFolder("src/run/store", "src/surface/reporters", "src/document/transcript", "src/run/runner/report.ts")(symbol),
  },
  {
    page: "statistics",
    title: "Statistics",
    about: "Statistics of repeated trials, and comparisons of runs. [Statistics](../statistics.md) explains them.",
    has: inFolder("src/base/statistics", "src/run/compare", "src/run/calibration"),
  },
  {
    page: "deploying",
    title: "Deploying",
    about: "Plan, apply, compare and roll back deployments. [Deploying](../deploying.md) explains them.",
    has: inFolder("src/deploy", "src/surface/project"),
  },
  {
    page: "errors",
    title: "Errors",
    about: "The error classes. [Errors](../errors.md) explains every code.",
    has: inFolderOr(["CallbackError"], "src/base/errors.ts", "src/base/error_codes.ts"),
  },
  {
    page: "calls",
    title: "Calls",
    about: "Running scenarios and single conversations. [Options of a run](../run-options.md) has every option.",
    has: () => true,
  },
];

/** Tasks with the functions for them, for the landing page. */
export const TASKS: readonly (readonly [task: string, names: readonly string[]])[] = [
  ["Write an agent", ["flow", "part", "text", "number", "boolean", "choice", "tool", "env"]],
  ["Read an agent of a platform, or write one", ["importAgent", "readExport", "emit", "formats", "formatNamed"]],
  ["Turn an agent into TypeScript", ["eject"]],
  ["Edit an agent by code", ["editGraph"]],
  ["Find what prompts repeat", ["analyseSnippets"]],
  ["Split an agent into smaller ones, and put them together", ["decompose", "compose"]],
  ["Read an AgentGraph document", ["parseGraph", "toolImplementations"]],
  ["Find mistakes before anybody calls", ["check", "checkGraph", "checkScenarios", "turnBounds"]],
  ["Compare how platforms represent an agent", ["portability"]],
  ["Move an agent to another platform", ["convert"]],
  ["State what must hold in every call, and find paths", ["policy", "checkPolicies", "findPath", "pathFinder"]],
  ["See which parts of an agent runs have exercised", ["coverage", "mergeCoverage", "uncovered"]],
  ["Draw an agent", ["draw", "drawPng"]],
  ["Compare two versions of an agent", ["diffGraphs", "affectedScenarios"]],
  ["Deploy an agent, and see what applying it changes", ["plan", "apply", "promote"]],
  ["See what was changed on a platform, and bring it into code", ["drift", "pull", "importDeployed"]],
  ["Roll back, list and delete what is deployed", ["rollback", "listSnapshots", "listDeployed", "deleteDeployed"]],
  ["Refuse to deploy an agent without a passed run", ["requireRun", "requireAcceptedLosses", "requireReviewedPlan"]],
  ["Set up a project and its environments", ["defineConfig"]],
  ["Run the calls of a run on many machines", ["openQueue", "startWorker"]],
  ["Try a deployment without an account", ["startLocalPlatforms"]],
  ["Take secrets out of an agent", ["extractSecrets"]],
  ["Describe a call and what must hold", ["scenario", "parseScenarios", "toScenario"]],
  ["Write the scenarios that are missing", ["generateScenarios"]],
  ["Find what callers want, and write a scenario from a call", ["clusterCalls", "scenarioFromCall"]],
  ["Find a path through an agent, and call along it", ["findPath", "pathFinder", "playPath"]],
  ["Run scenarios, or see what a run will cost", ["run", "estimate", "compareTurns", "runAsProgram", "openRun"]],
  ["Find the fault of a failed call, and repair it", ["diagnose", "repair", "applyChanges"]],
  ["Replay stored calls, and see what changed", ["replay"]],
  ["Judge existing calls", ["evaluate", "readTimeline"]],
  ["Watch production, and see what got worse", ["watchCalls", "compareWeeks"]],
  ["Run scenarios as tests of a test runner", ["testScenarios"]],
  ["Attack an agent, and keep what was found as scenarios", ["attack"]],
  ["Check a conversation in a test", ["assertVisits", "assertExtracts", "assertEndsWith"]],
  ["Run scenarios with an agent where it runs, and compare it with its graph", ["connect", "verify"]],
  ["Ask a studio's server", ["createStudioClient"]],
  ["Run one conversation, turn by turn", ["conversation"]],
  ["Choose or replace the model", ["offline", "scripted", "offlineSpeech", "offlineTranscription"]],
  ["Record and replay model calls", ["createRecordings", "fileRecordings", "openRecordings"]],
  ["Play the caller", ["createPersonaCaller", "createScriptedCaller", "createReplayCaller"]],
  ["Import real calls", ["importCalls", "pullCalls", "readCalls", "isRecordedCall"]],
  ["Replace personal data in calls", ["createPseudonymizer"]],
  ["Keep and read results, and merge those of shards", ["openStore", "reportOf", "mergeRuns"]],
  ["Print a report", ["formatReport", "formatResult", "formatTranscript", "formatJson", "formatHtml", "styleFor"]],
  [
    "Report to a CI system",
    ["writeReports", "formatJunit", "formatCtrf", "formatGithubSummary", "formatGithubAnnotations"],
  ],
  ["Judge repeated trials", ["wilson", "passHat", "decideGate"]],
  ["Compare the judge with known verdicts", ["calibrateJudge"]],
  ["Find out what a model is fit for", ["testModel"]],
  ["See how long callers wait", ["summariseLatency"]],
  ["Compare two runs", ["compareRuns", "formatComparison", "judgeComparison"]],
  ["Tell a change from noise", ["exactTest", "correctedTests", "differenceInterval"]],
  ["Find the source of differing verdicts", ["flakinessSources", "cohenKappa"]],
  ["Convert ElevenLabs' agent tests", ["importElevenLabsTests", "emitElevenLabsTests"]],
  ["Convert Retell's test cases", ["importRetellTestCases", "emitRetellTestCases"]],
  ["Convert tests of Telnyx's assistants", ["importTelnyxTests", "emitTelnyxTests"]],
  ["Convert Bland's scenarios", ["importBlandScenarios", "emitBlandScenarios"]],
  ["Write scenarios as Vapi's evals and simulations", ["emitVapiTests"]],
  ["Fill in a prompt, or evaluate an equation", ["expandPrompt", "evaluateEquation"]],
  ["Handle errors", ["isCallweaveError", "CallweaveError", "CallbackError", "ERROR_CODES"]],
];
