/** Models of LiveKit Inference: `openai/gpt-4.1-mini`, `deepgram/nova-3:en`, `cartesia/sonic-3:VOICE`. */
export interface LivekitModels {
  readonly llm?: string;
  readonly stt?: string;
  readonly tts?: string;
}

/** What flows and nodes can set for LiveKit Agents. */
export interface LivekitFields {
  readonly flow: { readonly session?: LivekitModels };
  readonly node: LivekitModels;
  readonly voice: string;
}
