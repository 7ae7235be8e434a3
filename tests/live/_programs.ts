import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { createServer, connect as openSocket } from "node:net";
import process from "node:process";

/** How long a program may take to start. */
const START_MS = 120_000;

/** A program that a test has started. */
export interface TestProgram {
  readonly output: () => string;
  /** Waits until a check holds, or throws with what the program has written. */
  readonly until: (check: () => Promise<boolean>, otherwise: string) => Promise<void>;
  readonly kill: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts a program. */
export function startProgram(
  command: string,
  args: readonly string[],
  env: { readonly [name: string]: string },
): TestProgram {
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let hasEnded = false;
  const take = (part: string) => {
    output = (output + part).slice(-20_000);
  };
  child.stdout?.setEncoding("utf8").on("data", take);
  child.stderr?.setEncoding("utf8").on("data", take);
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      resolve();
    };
    child.once("close", end);
    child.once("error", (error) => {
      take(error.message);
      end();
    });
  });
  const stop = async () => {
    if (!hasEnded) child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(timer);
  };
  return {
    output: () => output,
    until: async (check, otherwise) => {
      const until = Date.now() + START_MS;
      while (!(await check())) {
        if (hasEnded || Date.now() > until) {
          await stop();
          throw new Error(`${command}: ${otherwise}: ${output.slice(-4_000)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    kill: () => void child.kill("SIGKILL"),
    stop,
  };
}

/** Whether something listens on a port. */
export async function listens(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = openSocket(port, "127.0.0.1");
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

export async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}
