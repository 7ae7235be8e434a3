import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { checkWritable, writeFileTo } from "../../../src/base/files/mod.ts";
import { TestClock } from "../../test_clock.ts";
import { inFolder, makeFifo } from "./_fixtures.ts";

const LONG = "x".repeat(200_000);

test("writeFileTo() keeps the permissions of a file that it replaces", () =>
  inFolder(async (folder) => {
    const path = join(folder, "agent.json");
    await writeFile(path, "old");
    await chmod(path, 0o600);
    await writeFileTo(path, "new");
    assert.equal(await readFile(path, "utf8"), "new");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ["agent.json"]);
  }));

test("writeFileTo() creates folders, and files with the given permissions", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a", "b", "agent.json");
    await writeFileTo(path, "new", { mode: 0o600 });
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  }));

test("writeFileTo() follows symbolic links, also one without a target", () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, "real"));
    await mkdir(join(folder, "elsewhere"));
    await symlink(join(folder, "real"), join(folder, "elsewhere", "linked"));
    const [link, dangling] = [join(folder, "link"), join(folder, "elsewhere", "linked", "dangling")];
    await writeFile(join(folder, "real", "file"), "old");
    await symlink("real/file", link);
    await symlink("../made", dangling); // counts from "real", not from "elsewhere"
    await writeFileTo(link, "new");
    await writeFileTo(dangling, "made");
    assert.equal(await readlink(link), "real/file");
    assert.equal(await readFile(join(folder, "real", "file"), "utf8"), "new");
    assert.equal(await readlink(dangling), "../made");
    assert.equal(await readFile(join(folder, "made"), "utf8"), "made");
  }));

test("writeFileTo() rejects folders, loops of links and places where nothing can be created", () =>
  inFolder(async (folder) => {
    const circle = join(folder, "circle");
    await symlink(circle, circle);
    await writeFile(join(folder, "file"), "");
    for (const write of [writeFileTo, checkWritable]) {
      await assert.rejects(write(folder, ""), { code: "EISDIR" });
      await assert.rejects(write(circle, ""), { code: "ELOOP" });
      await assert.rejects(write(join(folder, "file", "x"), ""), { code: "ENOTDIR" });
      await assert.rejects(write("/proc/callweave/x", ""), { code: /ENOENT|EACCES|EPERM/ });
    }
    assert.deepEqual((await readdir(folder)).toSorted(), ["circle", "file"]);
  }));

test("writeFileTo() writes to a device and leaves it a device", () =>
  inFolder(async (folder) => {
    const [nothing, full] = [join(folder, "null"), join(folder, "full")];
    await symlink("/dev/null", nothing);
    await symlink("/dev/full", full);
    await writeFileTo(nothing, LONG);
    await assert.rejects(writeFileTo(full, "x"), { code: "ENOSPC" });
    for (const path of [nothing, full]) {
      assert.equal((await lstat(path)).isSymbolicLink(), true);
      assert.equal((await stat(path)).isCharacterDevice(), true);
    }
  }));

test("writeFileTo() writes the whole text to a FIFO with a reader, and keeps the FIFO", () =>
  inFolder(async (folder) => {
    const path = makeFifo(join(folder, "fifo"));
    const reader = spawn("cat", [path], { stdio: ["ignore", "pipe", "inherit"] });
    const chunks: Buffer[] = [];
    reader.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    const closed = once(reader, "close");
    await writeFileTo(path, LONG);
    await closed;
    assert.equal(Buffer.concat(chunks).toString(), LONG);
    assert.equal((await lstat(path)).isFIFO(), true);
  }));

test("writeFileTo() stops waiting for a FIFO's reader at its limit, and on an abort", () =>
  inFolder(async (folder) => {
    const path = makeFifo(join(folder, "fifo"));
    await checkWritable(path);
    const clock = new TestClock();
    const outcome = await clock.runUntil(writeFileTo(path, "x", { limitMs: 1_000, clock }), 500);
    assert.equal(outcome.status === "rejected" && outcome.reason.code, "ENXIO");
    await assert.rejects(writeFileTo(path, "x", { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal((await lstat(path)).isFIFO(), true);
  }));

test("writeFileTo() writes to a socket", () =>
  inFolder(async (folder) => {
    const path = join(folder, "socket");
    const chunks: Buffer[] = [];
    const server = createServer();
    const heard = new Promise<void>((resolve) => {
      server.on("connection", (socket) => {
        socket.on("data", (chunk: Buffer) => chunks.push(chunk));
        socket.on("close", () => resolve());
      });
    });
    server.listen(path);
    await once(server, "listening");
    try {
      await writeFileTo(path, LONG);
      await heard;
      assert.equal(Buffer.concat(chunks).toString(), LONG);
    } finally {
      server.close();
    }
  }));
