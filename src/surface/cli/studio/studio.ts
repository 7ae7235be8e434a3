import { spawn } from "node:child_process";
import process from "node:process";
import type { Command } from "../arguments.ts";
import { SERVER_FLAGS } from "./flags.ts";

const AGENT = {
  name: "SOURCE",
  optional: true,
  description: "Module that exports a graph, or any JSON that can be imported (default: that of the configuration)",
};

/** `callweave studio`. */
export const studioCommand: Command = {
  name: "studio",
  summary: "Work together on an agent in the browser: its picture, runs, calls, labels and deployments",
  spec: {
    positionals: [AGENT],
    flags: { ...SERVER_FLAGS, "no-open": { description: "Do not open the browser" } },
  },
  notes: [
    "On 127.0.0.1, whoever works on this machine is an editor. With --host, people sign in with a token of callweave studio token create, and a proxy has to do TLS.",
    "Ctrl-C stops it, and the runs that it has started.",
  ],
  examples: [
    "callweave studio flow.ts",
    "callweave studio --host 0.0.0.0 --port 4040 --origin https://studio.example.com",
  ],
  run: async (args, terminal) => {
    const [{ serveProject }, { studioPage }] = await Promise.all([
      import("./serve_project.ts"),
      import("../../studio/mod.ts"),
    ]);
    const onStart = (address: string) => {
      terminal.out(args.has("json") ? jsonLine(address) : `The studio is at ${address}\n`);
      const opens = terminal.stdout.isTTY && !terminal.env.CI && !args.has("no-open");
      if (opens && args.text("host") === undefined) openBrowser(address);
    };
    return await serveProject(args, terminal, { page: studioPage(), onStart });
  },
};

/** `callweave serve`. */
export const serveCommand: Command = {
  name: "serve",
  summary: "Serve the studio's API without its page",
  spec: { positionals: [AGENT], flags: SERVER_FLAGS },
  notes: [
    "The API is under /api/v1; GET /api/v1/openapi.json describes it, and callweave/client has a typed client.",
    "On 127.0.0.1, whoever works on this machine is an editor. With --host, requests need a token.",
  ],
  examples: ["callweave serve flow.ts --port 4040"],
  run: async (args, terminal) => {
    const { serveProject } = await import("./serve_project.ts");
    const onStart = (address: string) =>
      terminal.out(args.has("json") ? jsonLine(address) : `The API is at ${address}api/v1\n`);
    return await serveProject(args, terminal, { page: undefined, onStart });
  },
};

function jsonLine(address: string): string {
  return `${JSON.stringify({ address })}\n`;
}

/** Opens an address in the browser; where there is none, people open it themselves. */
function openBrowser(address: string): void {
  const [program, ...before] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["explorer.exe"] : ["xdg-open"];
  if (program === undefined) return;
  const child = spawn(program, [...before, address], { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}
