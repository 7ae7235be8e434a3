import type { Vapi } from "@vapi-ai/server-sdk";
import { kindOf, kinds, number, oneOf, record, shape, text } from "./fit.ts";
import { fitVoice } from "./fit_voice.ts";

const announcement = {
  message: text(1000),
  voice: fitVoice,
  firstMessageMode: oneOf("assistant-speaks-first assistant-waits-for-user"),
};

const PLANS = kinds<Vapi.CompliancePlanRecordingConsentPlan, "type">("type", {
  "stay-on-line": shape<Vapi.RecordingConsentPlanStayOnLine>({ ...announcement, waitSeconds: number(1, 6) }, [
    "message",
  ]),
  verbal: shape<Vapi.RecordingConsentPlanVerbal>({ ...announcement, declineTool: record, declineToolId: text() }, [
    "message",
  ]),
});

/** `compliancePlan.recordingConsentPlan` of an assistant: how the caller is asked for consent to a recording. */
export const recordingConsentPlan = kindOf<Vapi.CompliancePlanRecordingConsentPlan>(PLANS);
