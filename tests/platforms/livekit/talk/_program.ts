/**
 * The program of a worker, for `command`: `_program.ts console --connect-addr HOST:PORT`. `WORKER_FAULT` names its fault;
 * it keeps a socket to the port `WORKER_WITNESS` open for as long as it runs.
 */
import { spawn } from "node:child_process";
import { connect } from "node:net";
import process from "node:process";
import { serve } from "./_workers.ts";

const { argv, env, exit } = process;
const [subcommand, flag, address = ""] = argv.slice(2);
const fault = env.WORKER_FAULT ?? "";
if (subcommand !== "console" || flag !== "--connect-addr") exit(64);
console.log(`\u001b[31mworker with ${env.AGENT_SECRET_KEY ?? "no key"}\u001b[0m`);
if (fault === "exits") exit(3);
if (env.WORKER_WITNESS) connect(Number(env.WORKER_WITNESS), "127.0.0.1");
if (fault === "deaf") process.on("SIGTERM", () => {});
if (fault === "child") {
  const port = "Number(process.env.WORKER_WITNESS)";
  const code = `require("node:net").connect(${port}, "127.0.0.1", () => console.log("connected"))`;
  const child = spawn("node", ["-e", code], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
}
if (fault !== "never") {
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(address) ?? [];
  const socket = connect(Number(port), host);
  socket.on("error", () => {
    if (socket.connecting) exit(4);
  });
  await serve(socket, {
    instead: ({ kind }) => {
      if (fault === "crashes" && kind === "runInput") exit(5);
      return undefined;
    },
  });
}
// LiveKit's own worker also runs on after its session
setInterval(() => {}, 1_000);
