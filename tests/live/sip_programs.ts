import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { run, scenario } from "../../mod.ts";
import { sipConnection } from "../../platforms/sip/talk/phone.ts";
import { writePcmWave } from "../../src/call/audio/mod.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { needsProgram, programPath } from "../programs.ts";
import { toneModels } from "./_tone_models.ts";
import { spoken } from "./_tones.mjs";

const REAL = { store: false, connection: { allowRealTools: true } } as const;
const RATE = 8_000;
const GREETING = "Lamp shop, how can I help?";
/** Said again and again: it does not listen. */
const ANSWER = "It is shipped and arrives on Friday.";

/** A program that a test has started, with a folder of its own. */
async function startProgram(
  command: string,
  files: { readonly [name: string]: string | Uint8Array },
  argsIn: (folder: string) => readonly string[],
) {
  const folder = mkdtempSync(join(tmpdir(), "callweave-sip-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const child: ChildProcess = spawn(command, argsIn(folder), { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let wake = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      wake();
    });
  let code: number | null | undefined;
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", (status) => {
      code = status;
      wake();
      resolve(status);
    }),
  );
  return {
    output: () => output,
    ended,
    until: async (words: string) => {
      while (!output.includes(words)) {
        if (code !== undefined) throw new Error(`${command} ended with ${code}: ${output}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (code === undefined) child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const socket = createSocket("udp4");
  const port = await new Promise<number>((resolve) =>
    socket.bind(0, "127.0.0.1", () => resolve(socket.address().port)),
  );
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** Starts baresip, which answers calls with a greeting. */
async function startBaresip(codec: "pcmu" | "pcma") {
  const port = await freePort();
  const greeting = new Int16Array(RATE * 60);
  greeting.set(spoken(GREETING, RATE), RATE / 2);
  for (let second = 5; second < 55; second += 5) greeting.set(spoken(ANSWER, RATE), second * RATE);
  const config = [
    "module_path /usr/lib/baresip/modules",
    `sip_listen 127.0.0.1:${port}`,
    "net_interface 127.0.0.1",
    "audio_source aufile,greeting.wav",
    "audio_player aufile,heard.wav",
    "audio_alert aufile,greeting.wav",
    "module g711.so",
    "module aufile.so",
    "module_tmp account.so",
    "module_app menu.so",
  ].join("\n");
  const files = {
    config: `${config}\n`,
    accounts: `<sip:desk@127.0.0.1:${port}>;regint=0;answermode=auto;audio_codecs=${codec}\n`,
    contacts: "",
    "greeting.wav": writePcmWave({ rate: RATE, channels: [greeting] }),
  };
  const program = await startProgram(programPath("baresip"), files, (folder) => ["-f", folder, "-v"]);
  await program.until("baresip is ready");
  return { to: `sip:desk@127.0.0.1:${port}`, ...program };
}

for (const codec of ["pcmu", "pcma"] as const) {
  test(`baresip answers a call with ${codec.toUpperCase()}: its words are heard, and it hears the caller hang up`, {
    ...needsProgram("baresip"),
    timeout: 120_000,
  }, async () => {
    await using phone = await startBaresip(codec);
    const agent = sipConnection({ to: phone.to, ...toneModels(), hangUpMs: 0 });
    const greets = scenario("greets").says("Where is order A-1042?").includes("how can I help", "on Friday");
    const report = await run(agent, [greets], REAL);
    assert.deepEqual(statuses(report), ["pass"]);
    assert.equal(report.results[0]?.transcript[0]?.content, GREETING);
    await phone.until("session closed");
    assert.match(phone.output(), new RegExp(`Set audio decoder: ${codec.toUpperCase()} 8000Hz`));
  });
}

/** Starts sipp, which answers one call and checks its messages. */
async function startSipp(scenarioName: string) {
  const port = await freePort();
  const args = ["-sn", scenarioName, "-i", "127.0.0.1", "-p", String(port), "-mi", "127.0.0.1", "-m", "1", "-nostdin"];
  const program = await startProgram(programPath("sip-tester"), {}, () => args);
  return { to: `sip:service@127.0.0.1:${port}`, ...program };
}

test("sipp takes the messages of a call, from INVITE to BYE", {
  ...needsProgram("sip-tester"),
  timeout: 120_000,
}, async () => {
  await using server = await startSipp("uas");
  const agent = sipConnection({ to: server.to, ...toneModels(), hangUpMs: 0, turns: { giveUpMs: 200 } });
  const report = await run(agent, [scenario("calls").says("Goodbye.").excludes("sorry")], REAL);
  assert.match(statuses(report)[0] ?? "", /\(silence\): it said nothing for 200 ms/);
  assert.equal(await server.ended, 0, server.output());
});
