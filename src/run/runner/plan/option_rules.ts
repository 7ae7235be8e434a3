import type { SystemVariables } from "../../../../platforms/mod.ts";
import { ScenarioError } from "../../../base/errors.ts";
import { GATE_NEEDS, isGate } from "../../../base/statistics/mod.ts";
import { checkOptions, groupOf, isRecord, isTexts, OPTION, oneOf, rule } from "../../../base/values/mod.ts";
import type { AudioOptions, PhoneLine } from "../../../call/audio/mod.ts";
import { LIMITS, LISTENERS, MODELS, REQUESTS, type RulesFor, SHARED_OPTIONS } from "../../../call/engine/mod.ts";
import type { FlowJudgement } from "../../../call/judges/mod.ts";
import type { RequestLimits } from "../../../call/models/mod.ts";
import type { TelemetryOptions } from "../../../call/telemetry/mod.ts";
import { AUDIO_SETTINGS, CALL_SETTINGS, ruleOf } from "../../../document/settings/mod.ts";
import type {
  ConnectionOptions,
  JudgingOptions,
  RepeatOptions,
  RunLimits,
  RunListeners,
  RunModels,
  RunOptions,
  RunRequestOptions,
  SharingOptions,
  VarianceOptions,
} from "../options.ts";
import { isShard } from "./run_trials.ts";

const REQUEST_LIMITS = {
  maxParallel: ruleOf(CALL_SETTINGS["model-concurrency"], { unlimited: true }),
  perMinute: ruleOf(CALL_SETTINGS.rpm),
} satisfies RulesFor<RequestLimits>;

const COUNT = ruleOf(CALL_SETTINGS.repeat);

const SYSTEM_VARIABLES = {
  timeZone: rule("the IANA name of a time zone, such as Europe/Zurich", isTimeZone),
  userNumber: OPTION.text,
  agentNumber: OPTION.text,
  direction: oneOf("inbound", "outbound"),
  callType: oneOf("phone_call", "web_call"),
} satisfies RulesFor<SystemVariables>;

const TELEMETRY = groupOf({
  tracer: rule("a tracer of OpenTelemetry", isTracer),
  recordInputs: OPTION.switch,
  recordOutputs: OPTION.switch,
  flushTimeoutMs: OPTION.milliseconds,
} satisfies RulesFor<TelemetryOptions>);
const SNR_DB = rule("a number", (value) => typeof value === "number" && Number.isFinite(value));
const AUDIO = groupOf({
  speech: rule('a speech model of the AI SDK, "provider/model" or "offline"', isModelReference),
  transcription: rule('a transcription model of the AI SDK, "provider/model" or "offline"', isModelReference),
  direction: ruleOf(AUDIO_SETTINGS.audio),
  line: {
    needs: "false, or an object with snrDb, packetLoss, seed",
    accepts: (value) => value === false || isRecord(value),
    group: {
      snrDb: SNR_DB,
      packetLoss: rule("a number from 0 to 1", (value) => typeof value === "number" && value >= 0 && value <= 1),
      seed: OPTION.number,
    } satisfies RulesFor<PhoneLine>,
  },
  voice: OPTION.text,
  callerVoice: OPTION.text,
  language: OPTION.text,
  format: OPTION.text,
  compareWithText: OPTION.switch,
  concurrency: COUNT,
  keep: OPTION.text,
} satisfies RulesFor<AudioOptions>);
const VARIANCE = {
  agent: COUNT,
  judge: COUNT,
} satisfies RulesFor<VarianceOptions>;

const FLOW_GROUP = groupOf({
  threshold: ruleOf(CALL_SETTINGS.threshold),
  panel: COUNT,
} satisfies RulesFor<FlowJudgement>);
const FLOW_JUDGEMENT = {
  ...FLOW_GROUP,
  needs: `true, or ${FLOW_GROUP.needs}`,
  accepts: (value: unknown) => typeof value === "boolean" || isRecord(value),
};

const RUN_LIMITS = {
  ...LIMITS,
  concurrency: ruleOf(CALL_SETTINGS.concurrency, { unlimited: true }),
  failFast: OPTION.switch,
  maxCostUsd: ruleOf(CALL_SETTINGS["max-cost"]),
} satisfies RulesFor<RunLimits>;

const REPEAT = {
  times: COUNT,
  gate: rule(GATE_NEEDS, isGate),
  sequential: OPTION.switch,
  variance: groupOf(VARIANCE),
} satisfies RulesFor<RepeatOptions>;

/** Thresholds are validated with the scenarios. */
const JUDGING = {
  metrics: rule("a list of texts, or of { criterion, threshold?, panel? }", isMetrics),
  flow: FLOW_JUDGEMENT,
  policies: OPTION.list,
  threshold: OPTION.number,
  audit: ruleOf(CALL_SETTINGS.audit),
} satisfies RulesFor<JudgingOptions>;

const SHARE = {
  resume: OPTION.text,
  shard: rule("{ index, total }, with an index from 1 to total", isShard),
  joinRun: OPTION.text,
  queue: rule("what openQueue() gives", (value) => isRecord(value) && typeof value.feed === "function"),
  selectedFrom: OPTION.list,
  codeVersion: OPTION.text,
  labels: rule("an object of texts or lists of texts", isLabels),
} satisfies RulesFor<SharingOptions>;

function isLabels(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((each) => typeof each === "string" || isTexts(each));
}

const CONNECTION = {
  graph: OPTION.object,
  unchecked: oneOf("refuse", "report"),
  allowRealTools: OPTION.switch,
} satisfies RulesFor<ConnectionOptions>;

/** Options of `run()`, `estimate()` and `compareTurns()`. */
const RUN_OPTIONS = {
  ...SHARED_OPTIONS,
  models: groupOf({ ...MODELS, fromScenarios: OPTION.switch } satisfies RulesFor<RunModels>),
  connection: groupOf(CONNECTION),
  limits: groupOf(RUN_LIMITS),
  requests: groupOf({ ...REQUESTS, ...REQUEST_LIMITS } satisfies RulesFor<RunRequestOptions>),
  repeat: groupOf(REPEAT),
  judging: groupOf(JUDGING),
  store: rule("a path, a URL, an open store, or false", isStore),
  share: groupOf(SHARE),
  audio: AUDIO,
  recordings: rule("what createRecordings() gives", isRecordings),
  systemVariables: groupOf(SYSTEM_VARIABLES),
  name: OPTION.text,
  callers: rule('a name such as "difficult", { name: traits }, or a list of these', isCallerChoice),
  createCaller: OPTION.function,
  telemetry: {
    ...TELEMETRY,
    needs: `true, or ${TELEMETRY.needs}`,
    accepts: (value) => typeof value === "boolean" || isRecord(value),
  },
  listeners: groupOf({
    ...LISTENERS,
    onResult: OPTION.function,
    onProgress: OPTION.function,
  } satisfies RulesFor<RunListeners>),
} satisfies RulesFor<RunOptions>;

/**
 * Validates options at run time, for callers without type checks.
 *
 * @throws {ScenarioError} `invalid-option`; `issues` lists every option that is wrong.
 */
export function checkRunOptions(options: unknown, action = "Cannot run scenarios"): void {
  checkOptions(options, RUN_OPTIONS, ScenarioError, action, { open: false });
}

function isModelReference(value: unknown): boolean {
  return typeof value === "string" || (isRecord(value) && typeof value.doGenerate === "function");
}

/** Names and traits are validated when the callers are chosen. */
function isCallerChoice(value: unknown): boolean {
  return typeof value === "string" || isRecord(value) || Array.isArray(value);
}

function isStore(value: unknown): boolean {
  return value === false || typeof value === "string" || (isRecord(value) && typeof value.startRun === "function");
}

function isRecordings(value: unknown): boolean {
  return (
    isRecord(value) && ["around", "prepare", "startOf", "flush"].every((name) => typeof value[name] === "function")
  );
}

function isMetrics(value: unknown): boolean {
  return Array.isArray(value) && value.every((metric: unknown) => typeof metric === "string" || isMetric(metric));
}

function isMetric(metric: unknown): boolean {
  if (!isRecord(metric) || typeof metric.criterion !== "string") return false;
  if (Object.keys(metric).some((key) => !["criterion", "threshold", "panel"].includes(key))) return false;
  const { panel = 1 } = metric;
  if (typeof panel !== "number" || !Number.isInteger(panel) || panel < 1) return false;
  return metric.threshold === undefined || typeof metric.threshold === "number";
}

function isTimeZone(value: unknown): boolean {
  try {
    return typeof value === "string" && Boolean(new Intl.DateTimeFormat("en-US", { timeZone: value }));
  } catch {
    return false;
  }
}

function isTracer(value: unknown): boolean {
  return isRecord(value) && typeof value.startSpan === "function" && typeof value.startActiveSpan === "function";
}
