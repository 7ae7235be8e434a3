import { DEPLOY_FORMATS, PLATFORM_NAMES, platformOf } from "../../../platforms/mod.ts";
import { DeployError } from "../../base/errors.ts";
import { checkOptions, groupOf, isRecord, OPTION, shown } from "../../base/values/mod.ts";

const RULES = {
  to: OPTION.text,
  key: OPTION.text,
  environment: OPTION.text,
  flow: OPTION.text,
  folder: OPTION.text,
  baseUrl: OPTION.text,
  workspace: OPTION.text,
  settings: groupOf({
    voice: OPTION.object,
    ...Object.fromEntries(PLATFORM_NAMES.map((name) => [name, OPTION.object])),
    variables: OPTION.object,
    ids: OPTION.object,
    numbers: OPTION.texts,
    acceptLosses: OPTION.texts,
  }),
  env: OPTION.object,
  allowEnv: OPTION.texts,
  previous: OPTION.object,
  requestTimeoutMs: OPTION.milliseconds,
  fetch: OPTION.function,
  clock: OPTION.object,
  signal: OPTION.signal,
};

/** @throws {DeployError} `invalid-option` if the value is not a target. */
export function checkTarget(target: unknown): void {
  const [format = ""] = DEPLOY_FORMATS;
  checkOptions(target, RULES, DeployError, ACTION);
  for (const name of ["to", "key"]) {
    if (isRecord(target) && typeof target[name] === "string" && target[name] !== "") continue;
    throw new DeployError(`${ACTION}: the target has no "${name}"`, {
      code: "invalid-option",
      path: [name],
      hint: `Pass a target such as { to: "${format}", key: process.env.${platformOf(format)?.connection.keyVariable} }`,
    });
  }
}

/** @throws {DeployError} `invalid-option` for other values. */
export function checkText(value: unknown, name: string): void {
  if (typeof value === "string") return;
  throw new DeployError(`${ACTION}: "${name}" is ${shown(value)}`, {
    code: "invalid-option",
    path: [name],
    hint: "Pass a text",
  });
}

const ACTION = "Cannot use deployments";
