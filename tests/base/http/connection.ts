import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import type { PlatformConnection } from "../../../src/base/http/mod.ts";

/** A connection's name and words, as deployments have them. */
export const TEST_CONNECTION: Pick<PlatformConnection, "platform" | "words"> = {
  platform: "Retell",
  words: { error: DeployError, key: "Set the key", readAgain: "Try again", writeAgain: "Apply again" },
};

/** Any answer. */
export const ANY = v.unknown();
