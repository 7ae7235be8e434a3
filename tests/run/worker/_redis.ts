import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { programPath } from "../../programs.ts";

/** A Redis of a test. */
export interface TestRedis extends AsyncDisposable {
  /** `unix:///…`: a socket needs no free port. */
  readonly url: string;
  /** A folder that is deleted with the Redis. */
  readonly folder: string;
  /** Removes every key with a time to live, as when that time has passed. Returns those times in milliseconds. */
  readonly expire: () => Promise<readonly number[]>;
}

/** Starts a Redis without persistence, on a socket in a folder of its own. */
export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-redis-"));
  const socket = join(folder, "redis.sock");
  const args = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn(programPath("redis-server"), args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (/ready to accept connections/i.test(out)) resolve();
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`redis-server ended: ${out}`)));
  });
  return {
    url: `unix://${socket}`,
    folder,
    expire: () => expireIn(socket),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function expireIn(socket: string): Promise<readonly number[]> {
  const client = new Redis(socket);
  try {
    const times: number[] = [];
    for (const key of await client.keys("*")) {
      const left = await client.pttl(key);
      if (left < 0) continue;
      times.push(left);
      await client.del(key);
    }
    return times;
  } finally {
    client.disconnect();
  }
}
