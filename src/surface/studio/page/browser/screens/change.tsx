import { useState } from "preact/hooks";
import { isRecord } from "../../../../../base/values/mod.ts";
import { counted, dateText } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { ChangeList, Facts, Nothing, Wait } from "../parts/mod.ts";
import { linkTo, may, studio, useLoaded } from "../state/mod.ts";
import { Approve } from "./approve.tsx";

type Plan = StudioAnswer<"planDeployment">;
type Project = StudioAnswer<"project">;

/** The environments, or the plan of one to read and approve. */
export function ChangeScreen({ environment }: { readonly project: Project; readonly environment: string }) {
  return environment === "" ? <Environments /> : <OneEnvironment key={environment} environment={environment} />;
}

function Environments() {
  const loaded = useLoaded("deployments", (signal) => studio.deployments({}, { signal }));
  return (
    <article>
      <div class="title-line">
        <h2>Changes</h2>
        {may("editor") && (
          <div class="actions">
            <a class="button" href={linkTo(["audit"])}>
              Who did what
            </a>
          </div>
        )}
      </div>
      <p class="quiet">What would change where the agent runs. Nothing is written before you approve it.</p>
      <Wait loaded={loaded} what="the environments">
        {({ items }) =>
          items.length === 0 ? (
            <Nothing title="No environment is set up">
              <p>
                An environment says where the agent is deployed. Set one up in the configuration, under{" "}
                <code>environments</code>, and deploy once with <code>npx callweave deploy</code>.
              </p>
            </Nothing>
          ) : (
            <ul class="agent-cards">
              {items.map(({ environment, to, hasKey, deployed, snapshots }) => (
                <li key={environment}>
                  <h3>
                    <a href={linkTo(["changes", environment])}>{environment}</a>
                  </h3>
                  <p class="quiet">
                    {to ?? "no platform yet"},{" "}
                    {deployed.length === 0 ? "nothing deployed" : `${counted(deployed.length, "agent")} deployed`}
                  </p>
                  <p class="quiet">
                    {snapshots.length > 0
                      ? `${counted(snapshots.length, "earlier state")} to go back to`
                      : "no earlier state"}
                  </p>
                  {!hasKey && <p class="warn">The platform's key is not set where the studio runs.</p>}
                </li>
              ))}
            </ul>
          )
        }
      </Wait>
    </article>
  );
}

function OneEnvironment({ environment }: { readonly environment: string }) {
  const plan = useLoaded(`plan/${environment}`, async (signal) =>
    may("editor") ? await studio.planDeployment({ environment }, { signal }) : undefined,
  );
  return (
    <article class="change">
      <p class="crumbs">
        <a href={linkTo(["changes"])}>Changes</a>
      </p>
      <h2>{environment}</h2>
      {may("editor") ? (
        <Wait loaded={plan} what="the plan">
          {(value) => value && <PlanPart environment={environment} plan={value} again={plan.again} />}
        </Wait>
      ) : (
        <Nothing title="Plans need the role of an editor" />
      )}
    </article>
  );
}

function PlanPart({
  environment,
  plan,
  again,
}: {
  readonly environment: string;
  readonly plan: Plan;
  readonly again: () => void;
}) {
  const dropped = plan.losses.filter(({ kind }) => kind === "dropped");
  const others = plan.losses.filter(({ kind }) => kind !== "dropped");
  const writes = plan.resources.filter(({ action }) => action !== "none");
  return (
    <>
      <Facts
        facts={[
          ["platform", plan.to],
          ["version", <code key="fingerprint">{plan.fingerprint.slice(0, 12)}</code>],
          ["writes", writes.length === 0 ? "nothing" : counted(writes.length, "resource")],
        ]}
      />
      <section>
        <h3>
          {plan.isEmpty
            ? "Nothing to change"
            : plan.changes.length === 0
              ? "A new agent"
              : counted(plan.changes.length, "change")}
        </h3>
        {plan.isEmpty && <p>The platform has exactly this version.</p>}
        <ChangeList changes={plan.changes} />
      </section>
      {writes.length > 0 && (
        <details>
          <summary>What is written</summary>
          <ul>
            {writes.map(({ address, action, state }) => (
              <li key={address}>
                {String(action ?? state)} <code>{address}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {plan.conflicts.length > 0 && (
        <section class="conflicts">
          <h3>Changed here and on the platform</h3>
          <ul>
            {plan.conflicts.map(({ address, path }, index) => (
              <li key={index}>
                <code>
                  {address} {path.join(".")}
                </code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {plan.remoteChanges.length > 0 && (
        <section>
          <h3>Changed on the platform, and not here</h3>
          <ChangeList changes={plan.remoteChanges} />
        </section>
      )}
      <Losses title="Lost on this platform" losses={dropped} />
      <Losses title="Done in another way on this platform" losses={others} />
      <Evidence runs={plan.runs} />
      <Approve
        plan={plan}
        words={`Apply to ${environment}`}
        apply={(choices) => studio.applyDeployment({ environment, ...choices })}
        again={again}
      />
      <Drift environment={environment} />
      <GoBack environment={environment} again={again} />
    </>
  );
}

function Losses({ title, losses }: { readonly title: string; readonly losses: Plan["losses"] }) {
  if (losses.length === 0) return null;
  return (
    <section>
      <h3>
        {title} ({losses.length})
      </h3>
      <ul class="problems warn">
        {losses.filter(isRecord).map(({ code, message, instead, hint }, index) => (
          <li key={index}>
            <strong>{String(message)}</strong>
            {typeof instead === "string" && <div>Instead: {instead}</div>}
            {typeof hint === "string" && <div class="quiet">{hint}</div>}
            <div class="quiet">
              <code>{String(code)}</code>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Runs on exactly this version. */
function Evidence({ runs }: { readonly runs: Plan["runs"] }) {
  return (
    <section>
      <h3>Tested as it is</h3>
      {runs.length === 0 ? (
        <p class="warn">No run has called exactly this version.</p>
      ) : (
        <ul>
          {runs.map(({ id, startedAt, passed, scenarios }) => (
            <li key={id}>
              <a href={linkTo(["runs", id])}>{dateText(startedAt)}</a>{" "}
              <span class={passed === scenarios ? "better" : "worse"}>
                {passed} of {counted(scenarios, "scenario")} passed
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Drift({ environment }: { readonly environment: string }) {
  const [isAsked, setAsked] = useState(false);
  const loaded = useLoaded(`drift/${environment}/${isAsked}`, async (signal) =>
    isAsked ? await studio.drift({ environment }, { signal }) : undefined,
  );
  return (
    <section>
      <h3>Since the last deployment</h3>
      {!isAsked ? (
        <button type="button" onClick={() => setAsked(true)}>
          Look for changes on the platform
        </button>
      ) : (
        <Wait loaded={loaded} what="what is on the platform">
          {(drift) =>
            drift && (
              <>
                <p role="status">
                  {drift.isDrifted ? "The platform has been changed." : "The platform has what was deployed."}
                </p>
                <ChangeList changes={drift.changes} />
              </>
            )
          }
        </Wait>
      )}
    </section>
  );
}

/** Restores the state before an earlier apply, by a plan that is read first. */
function GoBack({ environment, again }: { readonly environment: string; readonly again: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const [snapshot, setSnapshot] = useState("");
  const known = useLoaded(`states/${environment}`, (signal) => studio.deployments({}, { signal }));
  const states = known.value?.items.find((each) => each.environment === environment)?.snapshots ?? [];
  const chosen = snapshot === "" ? {} : { snapshot };
  const loaded = useLoaded(`back/${environment}/${isAsked}/${snapshot}`, async (signal) =>
    isAsked ? await studio.planRollback({ environment, ...chosen }, { signal }) : undefined,
  );
  return (
    <section class="go-back">
      <h3>Go back</h3>
      {states.length > 1 && (
        <label>
          to the state before the deployment of
          <select value={snapshot} onChange={({ currentTarget }) => setSnapshot(currentTarget.value)}>
            {states.map(({ taken, name }, index) => (
              <option key={name} value={index === 0 ? "" : name}>
                {dateText(taken)}
                {index === 0 && ", the last one"}
              </option>
            ))}
          </select>
        </label>
      )}
      {!isAsked ? (
        <button type="button" onClick={() => setAsked(true)}>
          {snapshot === ""
            ? "Plan going back to the state before the last deployment"
            : "Plan going back to that state"}
        </button>
      ) : (
        <Wait loaded={loaded} what="the plan of going back">
          {(plan) =>
            plan && (
              <>
                <p role="status">
                  {plan.isEmpty ? "The platform has that state already." : counted(plan.changes.length, "change")}
                </p>
                <ChangeList changes={plan.changes} />
                <Approve
                  key={plan.digest}
                  plan={plan}
                  words={`Go back in ${environment}`}
                  apply={(choices) => studio.rollback({ environment, ...chosen, ...choices })}
                  again={again}
                />
              </>
            )
          }
        </Wait>
      )}
    </section>
  );
}
