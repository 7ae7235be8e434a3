import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Difference in samples between two sounds; resampling loses far fewer. */
const STEP = 2000;
const RATE = 24_000;

/** A request for speech in OpenAI's protocol. */
export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly response_format?: string;
}

/** A server on 127.0.0.1 that speaks OpenAI's protocol for speech and transcription. */
export interface AudioServer extends AsyncDisposable {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  readonly speeches: readonly SpeechRequest[];
  /** Sampling rate of each sound to transcribe. */
  readonly rates: readonly number[];
  readonly keys: readonly (string | undefined)[];
}

/**
 * Starts a server whose sounds differ by their length, so that it can identify what was said.
 *
 * @param hear Returns the transcription of a text.
 * @param fault Status of a response in place of the answer; `hang` for no response.
 */
export async function startAudioServer(
  hear: (text: string) => string,
  fault: (kind: "speech" | "transcription", index: number) => number | "hang" | undefined = () => undefined,
): Promise<AudioServer> {
  const speeches: SpeechRequest[] = [];
  const said: string[] = [];
  const rates: number[] = [];
  const keys: (string | undefined)[] = [];
  const counts = { speech: 0, transcription: 0 };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    keys.push(incoming.headers.authorization);
    const kind = incoming.url?.endsWith("/audio/speech") ? "speech" : "transcription";
    const status = fault(kind, counts[kind]);
    counts[kind] += 1;
    if (status === "hang") return;
    if (status !== undefined) {
      const error = JSON.stringify({ error: { message: "no", type: "server_error", param: null, code: null } });
      response.writeHead(status, { "content-type": "application/json" }).end(error);
    } else if (kind === "speech") {
      const request: SpeechRequest = JSON.parse(body.toString("utf8"));
      speeches.push(request);
      if (!said.includes(request.input)) said.push(request.input);
      const sound = wave(said.indexOf(request.input) + 1);
      response.writeHead(200, { "content-type": "audio/wav" }).end(sound);
    } else {
      const start = body.indexOf("RIFF");
      const rate = body.readUInt32LE(start + 24);
      rates.push(rate);
      const seconds = body.readUInt32LE(start + 40) / 2 / rate;
      const text = said[Math.round((seconds * RATE) / STEP) - 1];
      const answer = { text: text === undefined ? "" : hear(text), language: "english", duration: seconds };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    speeches,
    rates,
    keys,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A quiet tone whose length is a number of steps. */
function wave(steps: number): Buffer {
  const samples = steps * STEP;
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) bytes.writeInt16LE(Math.round(1000 * Math.sin(at / 10)), 44 + at * 2);
  return bytes;
}
