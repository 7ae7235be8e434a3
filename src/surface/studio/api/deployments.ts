import * as v from "valibot";
import { Count, Document, Name, PageQuery, pageOf, ROLES } from "./parts.ts";
import { Change, Finding } from "./project.ts";

export const Deployments = v.object({
  items: v.array(
    v.object({
      environment: v.string(),
      /** Format that is deployed there; `null` if the configuration does not say. */
      to: v.nullable(v.string()),
      /** Whether the platform's key is set where the server runs. */
      hasKey: v.boolean(),
      deployed: v.array(Document),
      snapshots: v.array(v.object({ taken: v.string(), name: v.string() })),
    }),
  ),
});

/** The plan of a deployment, as the SDK's `DeployPlan`; secrets are left out. */
export const Plan = v.looseObject({
  digest: v.string(),
  fingerprint: v.string(),
  isEmpty: v.boolean(),
  place: Document,
  to: v.string(),
  resources: v.array(v.looseObject({ address: v.string(), state: v.string() })),
  changes: v.array(Change),
  remoteChanges: v.array(Change),
  conflicts: v.array(v.looseObject({ address: v.string(), path: v.array(v.union([v.string(), v.number()])) })),
  losses: v.array(Document),
  findings: v.array(Finding),
  /** Finished runs on exactly this version, newest first, with the number of their scenarios that passed. */
  runs: v.array(v.object({ id: v.string(), startedAt: v.string(), passed: Count, scenarios: Count })),
});

/** Applies the plan that was read: one with another digest is refused. */
export const Apply = v.object({
  digest: Name,
  overwriteRemote: v.optional(v.boolean()),
  recreate: v.optional(v.boolean()),
  publish: v.optional(v.boolean()),
  prune: v.optional(v.boolean()),
});
export const Applied = v.looseObject({
  written: v.array(v.looseObject({ address: v.string(), id: v.string(), action: v.string() })),
  kept: v.array(v.looseObject({ address: v.string(), id: v.string(), why: v.string() })),
});

/** Changes on the platform since the last apply, as the SDK's `Drift`. */
export const Drift = v.looseObject({
  isDrifted: v.boolean(),
  resources: v.array(v.looseObject({ address: v.string(), state: v.string() })),
  changes: v.array(Change),
});

export const RollbackQuery = v.object({ snapshot: v.optional(Name) });
export const Rollback = v.object({ ...Apply.entries, snapshot: v.optional(Name) });

/** What somebody did. */
export const AuditEntry = v.object({
  id: v.string(),
  at: v.string(),
  by: v.string(),
  role: v.picklist(ROLES),
  action: v.string(),
  target: v.nullable(v.string()),
  detail: Document,
});
export const AuditQuery = v.object({ ...PageQuery, by: v.optional(Name), action: v.optional(Name) });
export const Audit = pageOf(AuditEntry);
