import { counted, dateText } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../../api/mod.ts";
import { ChangeList, Wait } from "../../parts/mod.ts";
import { route, setSettings, studio, useLoaded } from "../../state/mod.ts";

/** What changed in the agent since a run, in words. */
export function AgentDiff({ agent }: { readonly agent: StudioAnswer<"agent"> }) {
  const since = route.value.query.get("since") ?? "";
  const runs = useLoaded(`runs/${agent.name}`, (signal) => studio.runs({ agent: agent.name, limit: "20" }, { signal }));
  if (!runs.value || runs.value.items.length === 0) return null;
  return (
    <section class="panel">
      <h3>What has changed</h3>
      <label>
        since the run of
        <select value={since} onChange={({ currentTarget }) => setSettings({ since: currentTarget.value })}>
          <option value="">choose a run</option>
          {runs.value.items.map(({ id, startedAt, commit }) => (
            <option key={id} value={id}>
              {dateText(startedAt)}
              {commit === null ? "" : `, ${commit.slice(0, 8)}`}
            </option>
          ))}
        </select>
      </label>
      {since !== "" && <Changes agent={agent.id} since={since} />}
    </section>
  );
}

function Changes({ agent, since }: { readonly agent: string; readonly since: string }) {
  const loaded = useLoaded(`${agent}/${since}`, (signal) => studio.agentDiff({ agent, from: since }, { signal }));
  return (
    <Wait loaded={loaded} what="the changes">
      {({ changes }) => (
        <>
          <p role="status">
            {changes.length === 0 ? "Nothing: it is the same agent." : counted(changes.length, "change")}
          </p>
          <ChangeList changes={changes} />
        </>
      )}
    </Wait>
  );
}
