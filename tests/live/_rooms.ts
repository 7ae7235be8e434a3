import { join } from "node:path";
import { freePort, freeUdpPort, listens, startProgram } from "./_programs.ts";

/** LiveKit's server on this machine, with a key. */
export interface RoomServer extends AsyncDisposable {
  readonly url: string;
  /** Environment variables with its address and key. */
  readonly env: { readonly [name: string]: string };
}

/** Starts LiveKit's server on free ports of 127.0.0.1. */
export async function startRoomServer(folder: string): Promise<RoomServer> {
  const [port, tcp, udp] = [await freePort(), await freePort(), await freeUdpPort()];
  const [key, secret] = ["APItests", "secret-of-the-tests-with-32-characters-and-more"];
  const config = [
    `port: ${port}`,
    "bind_addresses: [127.0.0.1]",
    `rtc: { tcp_port: ${tcp}, udp_port: ${udp}, node_ip: 127.0.0.1, enable_loopback_candidate: true }`,
    `keys: { ${key}: ${secret} }`,
  ].join("\n");
  const program = startProgram(join(folder, "server"), ["--config-body", config], {});
  await program.until(() => listens(port), "it does not listen");
  const url = `ws://127.0.0.1:${port}`;
  return {
    url,
    env: { LIVEKIT_URL: url, LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret },
    [Symbol.asyncDispose]: program.stop,
  };
}

/**
 * Starts a worker of LiveKit Agents that waits for jobs.
 *
 * @param options `speaks`: it has a voice and ears, which know the texts of `_tones.mjs`.
 */
export async function startWorker(
  file: string,
  { env, name, speaks = false }: { readonly env: RoomServer["env"]; readonly name: string; readonly speaks?: boolean },
): Promise<AsyncDisposable> {
  const own = { DESK_AGENT_NAME: name, DESK_PORT: String(await freePort()) };
  const voice: RoomServer["env"] = speaks ? { DESK_VOICE: "spoken" } : {};
  const program = startProgram("node", [file, "start"], { ...env, ...own, ...voice });
  await program.until(async () => program.output().includes("registered worker"), "it does not register");
  return { [Symbol.asyncDispose]: program.stop };
}
