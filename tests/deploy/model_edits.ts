import type { To } from "./world.ts";

/** A change in the dashboard: which resource, and the value of one of its settings. */
export interface DashboardEdit {
  readonly address: string;
  readonly key: string;
  readonly value: unknown;
}

/** Settings that the code says nothing about, by platform: where they are edited, and how. */
export const SETTINGS: { readonly [to in To]: readonly ((value: number) => DashboardEdit)[] } = {
  bland: [(value) => ({ address: "pathway", key: "description", value: `Shop ${value}` })],
  elevenlabs: [
    (value) => ({ address: "agent", key: "tags", value: [`tag-${value}`] }),
    (value) => ({ address: "agent", key: "platform_settings", value: { call_limits: { daily_limit: value } } }),
  ],
  retell: [
    (value) => ({ address: "agent", key: "voice_speed", value: 1 + value / 100 }),
    (value) => ({ address: "agent", key: "max_call_duration_ms", value: 60_000 + value }),
    (value) => ({ address: "conversation-flow", key: "model_temperature", value: value / 100 }),
  ],
  "retell-llm": [
    (value) => ({ address: "agent", key: "voice_speed", value: 1 + value / 100 }),
    (value) => ({ address: "retell-llm", key: "model_temperature", value: value / 100 }),
  ],
  telnyx: [
    (value) => ({ address: "assistant", key: "telephony_settings", value: { time_limit_secs: 60 + value } }),
    (value) => ({ address: "assistant", key: "description", value: `Shop ${value}` }),
  ],
  "vapi-assistant": [
    (value) => ({ address: "assistant", key: "maxDurationSeconds", value: 60 + value }),
    (value) => ({ address: "assistant", key: "backgroundSound", value: value % 2 === 0 ? "off" : "office" }),
  ],
  "vapi-squad": [
    (value) => ({ address: "assistant:greet", key: "maxDurationSeconds", value: 60 + value }),
    (value) => ({
      address: "assistant:greet",
      key: "voice",
      value: { provider: "openai", voiceId: "nova", speed: 1 + value / 100 },
    }),
    (value) => ({ address: "assistant:order", key: "backgroundSound", value: value % 2 === 0 ? "off" : "office" }),
  ],
};
