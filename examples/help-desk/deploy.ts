/**
 * Deploys the help desk from a script, to each platform whose key is in the environment: `bun run`, `deno run -A` and
 * `npx tsx` start it. `callweave deploy --local` prints keys and addresses for a try without an account.
 */
import process from "node:process";
import { apply, type DeployFormat, plan } from "../../api/deploy.ts";
import { helpDesk } from "./flow.ts";

const { RETELL_API_KEY, RETELL_BASE_URL, VAPI_API_KEY, VAPI_BASE_URL } = process.env;

await deploy("retell", RETELL_API_KEY, RETELL_BASE_URL);
await deploy("vapi-squad", VAPI_API_KEY, VAPI_BASE_URL);
if (!RETELL_API_KEY && !VAPI_API_KEY) {
  console.error("Set RETELL_API_KEY or VAPI_API_KEY.");
  process.exitCode = 2;
}

async function deploy(to: DeployFormat, key: string | undefined, baseUrl: string | undefined): Promise<void> {
  if (!key) return;
  const planned = await plan(helpDesk, { to, key, ...(baseUrl ? { baseUrl } : {}) });
  for (const { message } of planned.changes) console.log(`${to}: ${message}`);
  if (planned.conflicts.length > 0) {
    // somebody has changed the same place at the dashboard: a person has to choose
    for (const { path } of planned.conflicts) console.error(`${to}: both sides have changed ${path.join(".")}`);
    process.exitCode = 1;
    return;
  }
  const { written } = await apply(planned);
  for (const { action, address } of written) console.log(`${to}: ${action} ${address}`);
  if (planned.isEmpty) console.log(`${to}: nothing to apply`);
}
