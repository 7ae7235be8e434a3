import type { Vapi } from "@vapi-ai/server-sdk";
import { isRecord } from "../../src/graph/mod.ts";
import { anything, beyondSdk, flag, list, number, oneOf, type Rule, record, shape, text } from "./fit.ts";
import { server } from "./fit_common.ts";
import { hooks } from "./fit_hooks.ts";
import {
  analysisPlan,
  artifactPlan,
  backgroundSpeechDenoisingPlan,
  compliancePlan,
  keypadInputPlan,
  langfuseObservabilityPlan,
  monitorPlan,
  startSpeakingPlan,
  stopSpeakingPlan,
} from "./fit_plans.ts";
import { fitTranscriber } from "./fit_transcriber.ts";
import { fitVoice } from "./fit_voice.ts";

type DetectionPlan = Exclude<Vapi.CreateAssistantDtoVoicemailDetection, string>;

/** Every call of Vapi's is picked up by a machine in one of these ways, or in none. */
const DETECTORS = ["google", "openai", "twilio", "vapi"] as const satisfies readonly DetectionPlan["provider"][];

const detection: Rule<never> = (value, at, faults) => {
  if (!isRecord(value)) return beyondSdk(oneOf("off"))(value, at, faults);
  const provider = oneOf(...DETECTORS)(value.provider, [...at, "provider"], faults);
  return provider === undefined ? undefined : anything({ ...value, provider }, at, faults);
};

/**
 * Holds an assistant's settings, but for its model, to what Vapi's types know (SDK 2.0.1, `CreateAssistantDTO`). Whatever
 * the graph says itself, such as prompt and first message, is none of them.
 */
export const fitSettings: Rule<Vapi.CreateAssistantDto> = shape<Vapi.CreateAssistantDto>({
  voice: fitVoice,
  transcriber: fitTranscriber,
  credentials: list(record),
  firstMessageInterruptionsEnabled: flag,
  voicemailDetection: detection,
  clientMessages: list(
    oneOf(
      "conversation-update assistant.speechStarted function-call function-call-result hang",
      "language-changed metadata model-output speech-update status-update transcript tool-calls",
      "tool-calls-result tool.completed transfer-update user-interrupted voice-input",
      "workflow.node.started assistant.started",
    ),
  ),
  serverMessages: list(
    oneOf(
      "assistant.started assistant.speechStarted conversation-update end-of-call-report function-call",
      "hang language-changed language-change-detected model-output phone-call-control speech-update",
      'status-update transcript transcript[transcriptType="final"] tool-calls',
      "transfer-destination-request handoff-destination-request transfer-update user-interrupted",
      "voice-input chat.created chat.deleted session.created session.updated session.deleted",
      "call.deleted call.delete.failed call.artifact.upload",
    ),
  ),
  maxDurationSeconds: number(10, 43200),
  backgroundSound: text(),
  modelOutputInMessagesEnabled: flag,
  transportConfigurations: list(record),
  observabilityPlan: langfuseObservabilityPlan,
  hooks,
  voicemailMessage: text(1000),
  endCallMessage: text(1000),
  endCallPhrases: list(text(140, 2)),
  compliancePlan: compliancePlan,
  metadata: record,
  backgroundSpeechDenoisingPlan: backgroundSpeechDenoisingPlan,
  analysisPlan: analysisPlan,
  artifactPlan: artifactPlan,
  startSpeakingPlan: startSpeakingPlan,
  stopSpeakingPlan: stopSpeakingPlan,
  monitorPlan: monitorPlan,
  credentialIds: list(text()),
  server: server,
  keypadInputPlan: keypadInputPlan,
});
