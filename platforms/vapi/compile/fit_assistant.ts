import type { Vapi } from "@vapi-ai/server-sdk";
import { isRecord } from "../../../src/values/mod.ts";
import { beyondSdk, flag, kindOf, kinds, list, number, oneOf, type Rule, record, shape, text } from "./fit.ts";
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

/** How a machine is told from a person is much the same for all but one. */
const heard = {
  beepMaxAwaitSeconds: number(0, 30),
  backoffPlan: shape<Vapi.VoicemailDetectionBackoffPlan>({
    startAtSeconds: number(0),
    frequencySeconds: number(2.5),
    maxRetries: number(1, 10),
  }),
  type: oneOf("audio transcript"),
};

const DETECTORS = kinds<DetectionPlan, "provider">("provider", {
  google: shape<Omit<Vapi.GoogleVoicemailDetectionPlan, "provider">>(heard),
  openai: shape<Omit<Vapi.OpenAiVoicemailDetectionPlan, "provider">>(heard),
  vapi: shape<Omit<Vapi.VapiVoicemailDetectionPlan, "provider">>(heard),
  twilio: shape<Omit<Vapi.TwilioVoicemailDetectionPlan, "provider">>({
    voicemailDetectionTypes: list(
      oneOf("machine_start human fax unknown machine_end_beep machine_end_silence machine_end_other"),
    ),
    enabled: flag,
    machineDetectionTimeout: number(3, 59),
    machineDetectionSpeechThreshold: number(1000, 6000),
    machineDetectionSpeechEndThreshold: number(500, 5000),
    machineDetectionSilenceTimeout: number(2000, 10000),
  }),
});

const detection: Rule<never> = (value, at, faults) =>
  isRecord(value) ? kindOf(DETECTORS)(value, at, faults) : beyondSdk(oneOf("off"))(value, at, faults);

const transport = shape<Vapi.TransportConfigurationTwilio>(
  { provider: oneOf("twilio"), timeout: number(1, 600), record: flag, recordingChannels: oneOf("mono dual") },
  ["provider"],
);

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
  transportConfigurations: list(transport),
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
