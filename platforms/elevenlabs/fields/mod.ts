/** Settings of an agent, with the keys that ElevenLabs publishes and others. */
export interface ElevenlabsSettings {
  readonly [key: string]: unknown;
}

/** Fields of an agent of ElevenLabs, such as `conversation_config` and `platform_settings`. */
export interface ElevenlabsFlowFields extends ElevenlabsSettings {
  readonly conversation_config?: ElevenlabsSettings;
  readonly platform_settings?: ElevenlabsSettings;
  readonly tags?: readonly string[];
}

/** Fields of a node of an ElevenLabs workflow. */
export interface ElevenlabsNodeFields extends ElevenlabsSettings {
  readonly label?: string;
  readonly entry_behavior?: "auto" | "generate_immediately" | "wait_for_user";
}

/** What flows and nodes can set for ElevenLabs. */
export interface ElevenlabsFields {
  readonly flow: ElevenlabsFlowFields;
  readonly node: ElevenlabsNodeFields;
  readonly voice: string;
}
