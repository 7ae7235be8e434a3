import { DeployError } from "../../base/errors.ts";
import type { DeployPlan, PlanParts } from "./deploy_plan.ts";

/** A plan with the parts that are neither in its JSON nor in logs: connection, bodies and secrets. */
export class PreparedPlan implements DeployPlan {
  declare readonly version: 1;
  declare readonly place: DeployPlan["place"];
  declare readonly to: DeployPlan["to"];
  declare readonly replaces?: DeployPlan["replaces"];
  declare readonly fingerprint: string;
  declare readonly resources: DeployPlan["resources"];
  declare readonly changes: DeployPlan["changes"];
  declare readonly remoteChanges: DeployPlan["remoteChanges"];
  declare readonly conflicts: DeployPlan["conflicts"];
  declare readonly numbers: DeployPlan["numbers"];
  declare readonly unused: DeployPlan["unused"];
  declare readonly losses: DeployPlan["losses"];
  declare readonly findings: DeployPlan["findings"];
  declare readonly digest: string;
  declare readonly isEmpty: boolean;
  readonly #parts: PlanParts;

  constructor(plan: DeployPlan, parts: PlanParts) {
    Object.assign(this, plan);
    this.#parts = parts;
  }

  /**
   * Returns the inputs of a plan.
   *
   * @throws {DeployError} `plan-outdated` if the plan was read from a file.
   */
  static partsOf(plan: DeployPlan): PlanParts {
    if (typeof plan === "object" && plan !== null && #parts in plan) return plan.#parts;
    throw new DeployError("Cannot apply: the plan is not one that plan() has returned", {
      code: "plan-outdated",
      hint: "Plan again, and compare the digest with that of the plan file",
    });
  }
}
