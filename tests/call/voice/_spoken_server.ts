import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readWave, toInt16, writePcmWave } from "../../../src/call/audio/mod.ts";
import { heard, spoken } from "./_spoken.ts";

/** A server whose speech and transcription models keep the words. */
export interface SpokenServer extends AsyncDisposable {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  /** Models and voices of the requests. */
  readonly asked: { readonly model: string; readonly voice?: string }[];
}

/** Starts a server on 127.0.0.1 that speaks OpenAI's protocol for speech and transcription. */
export async function startSpokenServer(): Promise<SpokenServer> {
  const asked: SpokenServer["asked"] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (incoming.url?.endsWith("/audio/speech")) {
      const { model, voice, input } = JSON.parse(body.toString());
      asked.push({ model, voice });
      const sound = writePcmWave({ rate: 16_000, channels: [spoken(input, 16_000)] });
      response.writeHead(200, { "content-type": "audio/wav" }).end(sound);
      return;
    }
    const start = body.indexOf("RIFF");
    const size = body.readUInt32LE(start + 4) + 8;
    const sound = await readWave(new Uint8Array(body.subarray(start, start + size)));
    asked.push({ model: /name="model"\r\n\r\n(\S+)/.exec(body.toString("latin1"))?.[1] ?? "" });
    const text = heard(toInt16(sound), sound.rate);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
