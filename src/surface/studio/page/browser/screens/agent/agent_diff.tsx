import { counted, dateText } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../../api/mod.ts";
import { ChangeList, Wait } from "../../parts/mod.ts";
import { type Loaded, route, setSettings, studio, useLoaded } from "../../state/mod.ts";

const MOST_VERSIONS = "200";

type Versions = StudioAnswer<"agentVersions">["items"];

/** What changed between two versions of the agent, in words. The picture is that of the later one. */
export function AgentDiff({
  agent,
  diff,
}: {
  readonly agent: StudioAnswer<"agent">;
  readonly diff: Loaded<StudioAnswer<"agentDiff"> | undefined>;
}) {
  const { query } = route.value;
  const [since, until] = [query.get("since") ?? "", query.get("until") ?? ""];
  const versions = useLoaded(`versions/${agent.id}`, (signal) =>
    studio.agentVersions({ agent: agent.id, limit: MOST_VERSIONS }, { signal }),
  );
  const items = versions.value?.items ?? [];
  if (items.length === 0 && since === "" && until === "") return null;
  const choose = (name: "since" | "until") => (version: string) => setSettings({ [name]: version });
  return (
    <section class="panel">
      <h3>What has changed</h3>
      <VersionChoice label="since" none="choose a version" chosen={since} items={items} onChoose={choose("since")} />
      <VersionChoice label="until" none="the agent now" chosen={until} items={items} onChoose={choose("until")} />
      {since !== "" && (
        <Wait loaded={diff} what="the changes">
          {(found) => (
            <>
              <p role="status">
                {!found || found.changes.length === 0
                  ? "Nothing: it is the same agent."
                  : counted(found.changes.length, "change")}
              </p>
              <ChangeList changes={found?.changes ?? []} />
            </>
          )}
        </Wait>
      )}
    </section>
  );
}

function VersionChoice({
  label,
  none,
  chosen,
  items,
  onChoose,
}: {
  readonly label: string;
  readonly none: string;
  readonly chosen: string;
  readonly items: Versions;
  readonly onChoose: (version: string) => void;
}) {
  // a link may name a run, or a version that is not among the newest
  const isOther = chosen !== "" && !items.some(({ fingerprint }) => fingerprint === chosen);
  return (
    <label>
      {label}
      <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{none}</option>
        {isOther && <option value={chosen}>{chosen.slice(0, 8)}</option>}
        {items.map(({ fingerprint, lastAt, commit, branch }) => (
          <option key={fingerprint} value={fingerprint}>
            {[`called ${dateText(lastAt)}`, branch, commit?.slice(0, 8), fingerprint.slice(0, 8)]
              .filter(Boolean)
              .join(", ")}
          </option>
        ))}
      </select>
    </label>
  );
}
