import type { EndReason } from "../../../src/document/transcript/mod.ts";

/**
 * Maps Retell's reasons to how a call ended. `null`: nobody ended the conversation, or there was none.
 *
 * @see https://docs.retellai.com/reliability/debug-call-disconnect
 */
export const RETELL_REASONS = {
  user_hangup: "caller_ended",
  agent_hangup: "agent_ended",
  call_transfer: "agent_transferred",
  transfer_bridged: "agent_transferred",
  transfer_cancelled: null,
  call_take_over: null, // a person took over
  manual_stopped: "aborted",
  max_duration_reached: "budget_exceeded",
  inactivity: null, // the caller was silent
  voicemail_reached: null,
  ivr_reached: null,
  user_declined: null,
  marked_as_spam: null,
  scam_detected: null,
  dial_busy: null,
  dial_failed: null,
  dial_no_answer: null,
  invalid_destination: null,
  registered_call_timeout: null,
  error_user_not_joined: null,
  telephony_provider_permission_denied: "failed",
  telephony_provider_unavailable: "failed",
  sip_routing_error: "failed",
  concurrency_limit_reached: "failed",
  no_concurrency_fallback: "failed",
  no_valid_payment: "failed",
  error_llm_websocket_open: "failed",
  error_llm_websocket_lost_connection: "failed",
  error_llm_websocket_runtime: "failed",
  error_llm_websocket_corrupt_payload: "failed",
  error_no_audio_received: "failed",
  error_asr: "failed",
  error_retell: "failed",
  error_unknown: "failed",
} as const satisfies { readonly [reason: string]: EndReason | null };

/** Every reason that Retell documents. */
export type RetellReason = keyof typeof RETELL_REASONS;
