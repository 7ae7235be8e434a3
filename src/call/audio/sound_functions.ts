/** The AI SDK's functions for sound, under the names of its versions. */
export interface SoundSdk<Speak, Transcribe> {
  readonly generateSpeech?: Speak;
  readonly transcribe?: Transcribe;
  readonly experimental_generateSpeech: Speak;
  readonly experimental_transcribe: Transcribe;
}

/**
 * Returns the AI SDK's functions for speech and transcription. Version 6 has them as experimental ones; version 7 has
 * both names, and prints a deprecation warning for the experimental ones.
 */
export function soundFunctions<Speak, Transcribe>(sdk: SoundSdk<Speak, Transcribe>) {
  return {
    generateSpeech: sdk.generateSpeech ?? sdk.experimental_generateSpeech,
    transcribe: sdk.transcribe ?? sdk.experimental_transcribe,
  };
}
