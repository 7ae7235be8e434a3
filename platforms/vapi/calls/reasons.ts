import { own } from "../../../src/base/values/mod.ts";
import type { EndReason } from "../../../src/document/transcript/mod.ts";

/**
 * Maps Vapi's reasons without "error", "fault" or "failed" in their name to how a call ended. `null`: nobody ended the conversation, or there was none.
 *
 * @see https://docs.vapi.ai/calls/call-ended-reason
 */
const REASONS = {
  "assistant-request-returned-invalid-assistant": "failed",
  "assistant-request-returned-no-assistant": "failed",
  "assistant-request-returned-forwarding-phone-number": null,
  "scheduled-call-deleted": null,
  "assistant-not-valid": "failed",
  "assistant-not-found": "failed",
  "worker-shutdown": "failed",
  "vonage-disconnected": "failed",
  "vonage-completed": null,
  "phone-call-provider-bypass-enabled-but-no-call-received": null,
  "call.in-progress.twilio-completed-call": null,
  "call.in-progress.sip-completed-call": null,
  "assistant-ended-call": "agent_ended",
  "assistant-said-end-call-phrase": "agent_ended",
  "assistant-ended-call-with-hangup-task": "agent_ended",
  "assistant-ended-call-after-message-spoken": "agent_ended",
  "assistant-forwarded-call": "agent_transferred",
  "assistant-join-timed-out": "failed",
  "customer-busy": null,
  "customer-ended-call": "caller_ended",
  "customer-ended-call-before-warm-transfer": "caller_ended",
  "customer-ended-call-after-warm-transfer-attempt": "caller_ended",
  "customer-ended-call-during-transfer": "caller_ended",
  "customer-did-not-answer": null,
  "customer-did-not-give-microphone-permission": null,
  "exceeded-max-duration": "budget_exceeded",
  "manually-canceled": "aborted",
  "phone-call-provider-closed-websocket": "failed",
  "call.forwarding.operator-busy": null,
  "call.forwarding.no-answer": null,
  "silence-timed-out": null,
  "call.ringing.hook-executed-say": null,
  "call.ringing.hook-executed-transfer": "agent_transferred",
  "call.ending.hook-executed-say": null,
  "call.ending.hook-executed-transfer": "agent_transferred",
  "call.ringing.sip-inbound-caller-hungup-before-call-connect": null,
  "twilio-reported-customer-misdialed": null,
  "vonage-rejected": null,
  voicemail: null,
  "call-deleted": null,
} as const satisfies { readonly [reason: string]: EndReason | null };

/** Every reason without these words that Vapi documents. */
export type VapiReason = keyof typeof REASONS;

/**
 * Returns how a call ended. Hundreds of reasons name a provider that failed; all of them have "error", "fault" or
 * "failed" in their name.
 */
export function vapiEndReason(reason: string): EndReason | undefined {
  const named = own<EndReason | null>(REASONS, reason);
  if (named !== undefined) return named ?? undefined;
  return /error|fault|failed/.test(reason) ? "failed" : undefined;
}
