import type { Vapi } from "@vapi-ai/server-sdk";
import { isRecord } from "../../../src/values/mod.ts";
import { anything, flag, list, number, oneOf, type Rule, record, shape, text, whole } from "./fit.ts";
import { server } from "./fit_common.ts";
import { recordingConsentPlan } from "./fit_consent_plan.ts";
import { jsonSchema } from "./schema.ts";

/** `observabilityPlan` of an assistant. */
export const langfuseObservabilityPlan = shape<Vapi.LangfuseObservabilityPlan>(
  {
    provider: oneOf("langfuse"),
    promptName: text(),
    promptVersion: number(1),
    traceName: text(),
    tags: list(text()),
    metadata: record,
  },
  ["provider", "tags"],
);

const securityFilterPlan = shape<Vapi.SecurityFilterPlan>({
  enabled: flag,
  filters: list(record),
  mode: oneOf("sanitize reject replace"),
  replacementText: text(),
});

/** `compliancePlan` of an assistant. */
export const compliancePlan = shape<Vapi.CompliancePlan>({
  hipaaEnabled: flag,
  pciEnabled: flag,
  securityFilterPlan: securityFilterPlan,
  recordingConsentPlan,
});

const smartDenoisingPlan = shape<Vapi.SmartDenoisingPlan>({
  enabled: flag,
});

const fourierDenoisingPlan = shape<Vapi.FourierDenoisingPlan>({
  enabled: flag,
  mediaDetectionEnabled: flag,
  staticThreshold: number(-80, 0),
  baselineOffsetDb: number(-30, -5),
  windowSizeMs: number(1000, 30000),
  baselinePercentile: number(1, 99),
});

/** `backgroundSpeechDenoisingPlan` of an assistant. */
export const backgroundSpeechDenoisingPlan = shape<Vapi.BackgroundSpeechDenoisingPlan>({
  smartDenoisingPlan: smartDenoisingPlan,
  fourierDenoisingPlan: fourierDenoisingPlan,
});

const summaryPlan = shape<Vapi.SummaryPlan>({
  messages: list(record),
  enabled: flag,
  timeoutSeconds: number(1, 60),
});

const structuredDataPlan = shape<Vapi.StructuredDataPlan>({
  messages: list(record),
  enabled: flag,
  schema: jsonSchema,
  timeoutSeconds: number(1, 60),
});

const structuredDataMultiPlan = shape<Vapi.StructuredDataMultiPlan>(
  {
    key: text(),
    plan: structuredDataPlan,
  },
  ["key", "plan"],
);

const successEvaluationPlan = shape<Vapi.SuccessEvaluationPlan>({
  rubric: oneOf(
    "NumericScale DescriptiveScale Checklist Matrix PercentageScale LikertScale AutomaticRubric",
    "PassFail",
  ),
  messages: list(record),
  enabled: flag,
  timeoutSeconds: number(1, 60),
});

/** `analysisPlan` of an assistant. */
export const analysisPlan = shape<Vapi.AnalysisPlan>({
  minMessagesThreshold: number(0),
  summaryPlan: summaryPlan,
  structuredDataPlan: structuredDataPlan,
  structuredDataMultiPlan: list(structuredDataMultiPlan),
  successEvaluationPlan: successEvaluationPlan,
  outcomeIds: list(text()),
});

const transcriptPlan = shape<Vapi.TranscriptPlan>({
  enabled: flag,
  assistantName: text(),
  userName: text(),
});

const complianceOverride = shape<Vapi.ComplianceOverride>({
  forceStoreOnHipaaEnabled: flag,
});

const createStructuredOutputDto = shape<Vapi.CreateStructuredOutputDto>(
  {
    type: oneOf("ai regex"),
    regex: text(1000),
    model: anything,
    compliancePlan: complianceOverride,
    conditions: list(record),
    name: text(40),
    schema: jsonSchema,
    description: text(),
    assistantIds: list(text()),
    workflowIds: list(text()),
  },
  ["name", "schema"],
);

const scorecardMetric = shape<Vapi.ScorecardMetric>(
  {
    conditions: list(record),
    structuredOutputId: text(),
  },
  ["conditions", "structuredOutputId"],
);

const createScorecardDto = shape<Vapi.CreateScorecardDto>(
  {
    name: text(80),
    description: text(500),
    metrics: list(scorecardMetric),
    assistantIds: list(text()),
  },
  ["metrics"],
);

/** `artifactPlan` of an assistant. */
export const artifactPlan = shape<Vapi.ArtifactPlan>({
  recordingEnabled: flag,
  recordingFormat: oneOf("wav;l16 mp3"),
  recordingUseCustomStorageEnabled: flag,
  videoRecordingEnabled: flag,
  fullMessageHistoryEnabled: flag,
  pcapEnabled: flag,
  pcapS3PathPrefix: text(),
  pcapUseCustomStorageEnabled: flag,
  loggingEnabled: flag,
  loggingUseCustomStorageEnabled: flag,
  transcriptPlan: transcriptPlan,
  recordingPath: text(),
  structuredOutputIds: list(text()),
  structuredOutputs: list(createStructuredOutputDto),
  scorecardIds: list(text()),
  scorecards: list(createScorecardDto),
  loggingPath: text(),
});

const transcriptionEndpointingPlan = shape<Vapi.TranscriptionEndpointingPlan>({
  onPunctuationSeconds: number(0, 3),
  onNoPunctuationSeconds: number(0, 3),
  onNumberSeconds: number(0, 3),
});

const smartEndpointingPlan: Rule<never> = (value, at, faults) => {
  const { provider } = isRecord(value) ? value : {};
  if (provider === "livekit") return anything(livekit(value, at, faults), at, faults);
  const plan = shape<Vapi.CustomEndpointingModelSmartEndpointingPlan | Vapi.VapiSmartEndpointingPlan>(
    provider === "custom-endpointing-model"
      ? { provider: oneOf("custom-endpointing-model"), server }
      : { provider: oneOf("vapi") },
    ["provider"],
  );
  return anything(plan(value, at, faults), at, faults);
};
const livekit = shape<Vapi.LivekitSmartEndpointingPlan>({ provider: oneOf("livekit"), waitFunction: text() }, [
  "provider",
]);

/** `startSpeakingPlan` of an assistant. */
export const startSpeakingPlan = shape<Vapi.StartSpeakingPlan>({
  waitSeconds: number(0, 5),
  smartEndpointingEnabled: anything,
  smartEndpointingPlan: whole(smartEndpointingPlan),
  customEndpointingRules: list(record),
  transcriptionEndpointingPlan: transcriptionEndpointingPlan,
});

/** `stopSpeakingPlan` of an assistant. */
export const stopSpeakingPlan = shape<Vapi.StopSpeakingPlan>({
  numWords: number(0, 10),
  voiceSeconds: number(0, 0.5),
  backoffSeconds: number(0, 10),
  acknowledgementPhrases: list(text(240)),
  interruptionPhrases: list(text(240)),
});

/** `monitorPlan` of an assistant. */
export const monitorPlan = shape<Vapi.MonitorPlan>({
  listenEnabled: flag,
  listenAuthenticationEnabled: flag,
  controlEnabled: flag,
  controlAuthenticationEnabled: flag,
  monitorIds: list(text()),
});

/** `keypadInputPlan` of an assistant. */
export const keypadInputPlan = shape<Vapi.KeypadInputPlan>({
  enabled: flag,
  timeoutSeconds: number(0, 10),
  delimiters: anything,
});
