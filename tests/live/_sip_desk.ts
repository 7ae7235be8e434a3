import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePcmWave } from "../../src/call/audio/mod.ts";
import { type BrainTurn, startBrain } from "../platforms/connections/_brain.ts";
import { DESK_TOOLS } from "../platforms/connections/_tools.ts";
import { programPath } from "../programs.ts";
import { freePort, freeUdpPort, listens, startProgram } from "./_programs.ts";
import { Ear, spoken } from "./_tones.mjs";

const RATE = 8_000;
const HEADER_BYTES = 44;
const POLL_MS = 40;
/** Pause between the last words and the end of the call. */
const AFTER_WORDS_MS = 500;
/** Silence behind each reply: baresip hangs up at the end of a file. */
const SILENT_SECONDS = 120;

/** A telephone that one call at a time reaches. */
export interface SipDesk extends AsyncDisposable {
  readonly to: string;
}

/**
 * Starts baresip with the help desk behind it: what it hears is a file that grows, and its source is switched to the
 * sound of each reply.
 */
export async function startSipDesk(): Promise<SipDesk> {
  const folder = mkdtempSync(join(tmpdir(), "callweave-desk-"));
  const [port, control] = [await freeUdpPort(), await freePort()];
  const silence = join(folder, "silence.wav");
  const config = [
    "module_path /usr/lib/baresip/modules",
    `sip_listen 127.0.0.1:${port}`,
    "net_interface 127.0.0.1",
    `audio_source aufile,${silence}`,
    `audio_alert aufile,${silence}`,
    "module g711.so",
    "module aufile.so",
    // writes what it hears
    "module sndfile.so",
    `snd_path ${folder}`,
    "module_tmp account.so",
    "module_app menu.so",
    "module_app ctrl_tcp.so",
    `ctrl_tcp_listen 127.0.0.1:${control}`,
  ];
  const to = `sip:desk@127.0.0.1:${port}`;
  writeFileSync(join(folder, "config"), `${config.join("\n")}\n`);
  writeFileSync(join(folder, "accounts"), `<${to}>;regint=0;answermode=auto;audio_codecs=pcmu\n`);
  writeFileSync(join(folder, "contacts"), "");
  writeFileSync(silence, soundFile(new Int16Array()));
  const program = startProgram(programPath("baresip"), ["-f", folder, "-v"], {});
  await program.until(() => listens(control), "it does not listen");
  const calls = new DeskCalls(createConnection(control, "127.0.0.1"), folder);
  return {
    to,
    [Symbol.asyncDispose]: async () => {
      calls.end();
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function soundFile(samples: Int16Array): Uint8Array {
  const all = new Int16Array(samples.length + SILENT_SECONDS * RATE);
  all.set(samples);
  return writePcmWave({ rate: RATE, channels: [all] });
}

/** Answers the calls of a telephone, one after another. */
class DeskCalls {
  readonly #control: Socket;
  readonly #folder: string;
  #replies = 0;
  #stop = () => {};

  constructor(control: Socket, folder: string) {
    this.#control = control;
    this.#folder = folder;
    let rest = "";
    control.setEncoding("utf8").on("data", (part: string) => {
      rest += part;
      // each message has its length before it, and a comma behind it
      for (let end = rest.indexOf(":"); end > 0; end = rest.indexOf(":")) {
        const length = Number(rest.slice(0, end));
        if (rest.length < end + length + 2) return;
        const { type } = JSON.parse(rest.slice(end + 1, end + 1 + length));
        rest = rest.slice(end + length + 2);
        if (type === "CALL_ESTABLISHED") this.#answer();
        if (type === "CALL_CLOSED") {
          this.#stop();
          for (const name of this.#heardFiles()) rmSync(join(this.#folder, name));
        }
      }
    });
  }

  end(): void {
    this.#stop();
    this.#control.destroy();
  }

  /** The file of what is heard in the call; those of calls before are removed. */
  #heardFiles(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => name.endsWith("-dec.wav"));
  }

  #command(command: string, params?: string): void {
    const text = JSON.stringify({ command, params });
    this.#control.write(`${text.length}:${text},`);
  }

  #answer(): void {
    const [brain, ear] = [startBrain({ mocks: DESK_TOOLS }), new Ear(RATE)];
    let at = HEADER_BYTES;
    let isOver = false;
    let ending: ReturnType<typeof setTimeout> | undefined;
    const say = (turn: BrainTurn) => {
      if (!isOver) ending = this.#say(turn);
    };
    const listen = () => {
      const [name] = this.#heardFiles();
      const bytes = name === undefined ? new Uint8Array() : readFileSync(join(this.#folder, name));
      const count = Math.max(0, Math.floor((bytes.length - at) / 2));
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      const samples = Int16Array.from({ length: count }, (_, number) => view.getInt16(at + 2 * number, true));
      at += 2 * count;
      const text = ear.hear(samples);
      if (text) void brain.hear(text).then(say);
    };
    this.#stop();
    const timer = setInterval(listen, POLL_MS);
    this.#stop = () => {
      isOver = true;
      clearInterval(timer);
      clearTimeout(ending);
    };
    void brain.open().then(say);
  }

  /** Says the words of a turn. Returns the timer of what follows the last ones. */
  #say({ events, ended }: BrainTurn): ReturnType<typeof setTimeout> | undefined {
    const words = events.flatMap((event) => (event.kind === "says" ? [event.text] : [])).join(" ");
    const sound = spoken(words, RATE);
    const file = join(this.#folder, `reply_${++this.#replies}.wav`);
    writeFileSync(file, soundFile(sound));
    this.#command("ausrc", `aufile,${file}`);
    const end = () =>
      ended === "agent_transferred" ? this.#command("transfer", "sip:technician@127.0.0.1") : this.#command("hangup");
    return ended && setTimeout(end, (sound.length / RATE) * 1000 + AFTER_WORDS_MS);
  }
}
