import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { ScenarioError } from "../../base/errors.ts";

/** Tells speech from other sounds, such as noise and music. */
export interface SpeechDetector {
  /** Begins a sound. */
  readonly start: () => DetectSpeech;
}

/** The probability, from 0 to 1, that the next window of a sound is speech. */
export type DetectSpeech = (window: Float32Array<ArrayBuffer>) => Promise<number>;

/** Samples of a window, at {@link WINDOW_RATE}: 32 ms. */
export const WINDOW = 512;
/** Samples per second of a window. */
export const WINDOW_RATE = 16_000;

/** Where the package has the model. */
const MODEL = "@ricky0123/vad-web/dist/silero_vad_v5.onnx";
/** Samples before a window that the model gets with it. */
const CONTEXT = 64;
/** What the model passes from a window to the next one. */
const STATE = [2, 1, 128];

/**
 * Loads Silero's model and what runs it. Nothing else needs the two packages.
 *
 * @see github.com/snakers4/silero-vad, `utils_vad.py`, `OnnxWrapper`
 * @throws {ScenarioError} `missing-package`.
 */
export async function loadSilero(): Promise<SpeechDetector> {
  const { session, Tensor } = await loadSession();
  // a session reads one window at a time, whatever its call
  const turn = pLimit(1);
  const sr = new Tensor("int64", BigInt64Array.of(BigInt(WINDOW_RATE)), [1]);
  return {
    start: () => {
      let state = new Tensor("float32", new Float32Array(2 * 128), STATE);
      let context = new Float32Array(CONTEXT);
      return (window) =>
        turn(async () => {
          const input = new Float32Array(CONTEXT + WINDOW);
          input.set(context);
          input.set(window, CONTEXT);
          context = window.slice(-CONTEXT);
          const found = await session.run({
            input: new Tensor("float32", input, [1, input.length]),
            state,
            sr,
          });
          if (found.stateN?.data instanceof Float32Array) state = new Tensor("float32", found.stateN.data, STATE);
          return Number(found.output?.data[0] ?? 1);
        });
    },
  };
}

async function loadSession() {
  try {
    const [{ env, InferenceSession, Tensor }, bytes] = await Promise.all([
      import("onnxruntime-web/wasm"),
      readFile(fileURLToPath(import.meta.resolve(MODEL))),
    ]);
    env.wasm.numThreads = 1;
    env.logLevel = "error";
    return { session: await InferenceSession.create(new Uint8Array(bytes), { executionProviders: ["wasm"] }), Tensor };
  } catch (cause) {
    throw new ScenarioError(
      "Cannot tell speech from noise by Silero: onnxruntime-web or @ricky0123/vad-web cannot be loaded",
      {
        code: "missing-package",
        path: ["voice", "turns", "vad"],
        hint: "Install them: npm install onnxruntime-web @ricky0123/vad-web",
        cause,
      },
    );
  }
}
