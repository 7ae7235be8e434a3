import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LocalBland } from "../../platforms/bland/local/mod.ts";
import { LocalElevenLabs } from "../../platforms/elevenlabs/local/mod.ts";
import { LocalRetell } from "../../platforms/retell/local/mod.ts";
import { serveLocally } from "../../platforms/serving/mod.ts";
import { LocalTelnyx } from "../../platforms/telnyx/local/mod.ts";
import { LocalVapi } from "../../platforms/vapi/local/mod.ts";
import { DeployError } from "../../src/base/errors.ts";
import { apply, plan } from "../../src/deploy/mod.ts";
import { ownPartOf, sampled } from "../fast_check.ts";
import { inOneFile, ownStart } from "../surface/cli/_process.ts";
import { PLATFORMS } from "./dashboard.ts";
import { shop } from "./shop.ts";
import { KEY, World } from "./world.ts";

const LOCAL = {
  ...{ bland: LocalBland, elevenlabs: LocalElevenLabs, retell: LocalRetell, telnyx: LocalTelnyx },
  "vapi-squad": LocalVapi,
};
const FAULTS = ["cut-before", "cut-after", { status: 503, body: { message: "busy" } }] as const;

for (const to of ownPartOf(PLATFORMS))
  test(`${to}: a failure at any request is finished by the next apply, without duplicates`, async () => {
    const first = { greet: "First." };
    for (const [index, fault] of FAULTS.entries())
      for (let at = 0; ; at += Math.max(1, 11 - sampled(10))) {
        await using world = await World.open(to, at * 3 + index);
        const planned = await plan(shop(first), world.target());
        let count = 0;
        let isHit = false;
        world.fault = () => {
          if (count++ < at || count > at + 6) return undefined;
          isHit = true;
          return fault;
        };
        await apply(planned).catch((error: unknown) => {
          if (!(error instanceof DeployError)) throw error;
        });
        world.fault = () => undefined;
        await apply(await plan(shop(first), world.target()));
        assert.equal((await plan(shop(first), world.target())).isEmpty, true);
        assert.deepEqual(await world.everything(), Object.values(await world.ids()).sort(), `request ${at}`);
        if (!isHit) break;
      }
  });

test("an apply that is killed between two requests is finished by the next one, without duplicates", async () => {
  const script = await inOneFile(fileURLToPath(new URL("./apply_shop.ts", import.meta.url)));
  for (const to of ownPartOf(PLATFORMS))
    for (let at = 1; at <= sampled(8); at++) {
      const folder = await mkdtemp(join(tmpdir(), "callweave-test-deploy-"));
      const options = { keys: { [KEY]: "org-1" } };
      let count = 0;
      let kill = () => {};
      await using server = await serveLocally(new LOCAL[to](options), {
        fault: () => {
          if (++count === at) kill();
          return undefined;
        },
      });
      const [command = "", ...args] = ownStart();
      const child = spawn(command, [...args, script, to, server.url, folder], {
        env: { ...process.env, DEPLOY_KEY: KEY },
        stdio: "ignore",
      });
      kill = () => void child.kill("SIGKILL");
      await new Promise((resolve) => child.once("exit", resolve));
      const requested = count;
      const target = { to, key: KEY, folder, baseUrl: server.url };
      await apply(await plan(shop(), target));
      assert.equal((await plan(shop(), target)).isEmpty, true, `${to}, killed at request ${at}`);
      const created = server.requests.filter((request) =>
        /^POST \/(?:ai\/|v1\/(?:pathway|convai\/agents)\/)?(create|assistant|squad)/.test(request),
      );
      assert.ok(created.length > 0);
      await rm(folder, { recursive: true, force: true });
      if (requested < at) break; // it ended before so many requests
    }
});

test("a second apply at once is refused, and says which process applies", async () => {
  await using world = await World.open("retell");
  const planned = await plan(shop(), world.target());
  let second: Promise<string> | undefined;
  world.fault = () => {
    second ??= apply(planned).then(
      () => "applied",
      (error: DeployError) => `${error.code}: ${error.hint}`,
    );
    return undefined;
  };
  await apply(planned);
  assert.match((await second) ?? "", new RegExp(`^apply-running: Wait for process ${process.pid} `));
});
