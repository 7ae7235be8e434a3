/** Settings of Telnyx's documents, which the platform describes in its SDK only. */
export interface TelnyxSettings {
  readonly [key: string]: unknown;
}

/** Settings of a node of Telnyx's flows. */
export interface TelnyxNodeFields extends TelnyxSettings {
  readonly name?: string;
  readonly position?: { readonly x: number; readonly y: number };
  readonly model?: string;
  readonly voice_settings?: TelnyxSettings;
  readonly transcription?: TelnyxSettings;
}

/** What flows and nodes can set for Telnyx. */
export interface TelnyxFields {
  readonly flow: TelnyxSettings;
  readonly node: TelnyxNodeFields;
  readonly voice: string;
}
