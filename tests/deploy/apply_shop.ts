// Applies the shop: apply_shop.ts FORMAT URL FOLDER, with the key in DEPLOY_KEY. The test kills it.
import process from "node:process";
import { apply, type DeployFormat, plan } from "../../src/deploy/mod.ts";
import { shop } from "./shop.ts";

const [, , to = "", baseUrl = "", folder = ""] = process.argv;
const formats: readonly DeployFormat[] = ["bland", "elevenlabs", "retell", "telnyx", "vapi-squad"];
const format = formats.find((name) => name === to);
if (!format) throw new Error(`Unknown format ${to}`);
await apply(await plan(shop(), { to: format, key: process.env.DEPLOY_KEY ?? "", baseUrl, folder }));
