import type { ComponentChildren } from "preact";
import { counted, dateText, STATUS_WORDS, STATUSES } from "../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioCallSummary } from "../../../api/mod.ts";
import { AgentFilter, MoreButton, Nothing, Sign, TextFilter, useMoreList, Wait } from "../parts/mod.ts";
import { linkTo, route, setSettings, studio } from "../state/mod.ts";

type Found = StudioAnswer<"search">["items"][number];

/** Calls in which words were said; without words, all calls that the filters leave. */
export function SearchScreen({ project }: { readonly project: StudioAnswer<"project"> }) {
  const { query } = route.value;
  const setting = (name: string) => query.get(name) || undefined;
  const q = setting("q");
  const status = STATUSES.find((each) => each === setting("status"));
  return (
    <article>
      <h2>Search</h2>
      <search class="filters">
        <TextFilter name="q" label="words that were said" look="search" />
        <AgentFilter agents={project.agents} />
        <label>
          status
          <select value={status ?? ""} onChange={({ currentTarget }) => setSettings({ status: currentTarget.value })}>
            <option value="">all</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {STATUS_WORDS[each]}
              </option>
            ))}
          </select>
        </label>
        <TextFilter name="run" label="run" />
        {q === undefined && <TextFilter name="scenario" label="scenario" />}
      </search>
      {q === undefined ? (
        <AllCalls run={setting("run")} scenario={setting("scenario")} status={status} />
      ) : (
        <FoundCalls q={q} agent={setting("agent")} run={setting("run")} status={status} />
      )}
    </article>
  );
}

type Status = StudioCallSummary["status"];

function FoundCalls({
  q,
  agent,
  run,
  status,
}: {
  readonly q: string;
  readonly agent: string | undefined;
  readonly run: string | undefined;
  readonly status: Status | undefined;
}) {
  const list = useMoreList(`search ${JSON.stringify([q, agent, run, status])}`, (cursor, signal) =>
    studio.search({ q, agent, run, status, cursor }, { signal }),
  );
  return (
    <Wait loaded={list.loaded} what="the calls">
      {() => (
        <>
          <p class="quiet" role="status">
            {list.items.length === 0 ? "" : `${counted(list.items.length, "call")}${list.more ? " and more" : ""}`}
          </p>
          {list.items.length === 0 && (
            <Nothing title="Nobody has said that">
              <p>A call must have all of the words. Words in quotes stand together.</p>
            </Nothing>
          )}
          <ul class="cards found">
            {list.items.map((item) => (
              <FoundCall key={item.call.id} item={item} />
            ))}
          </ul>
          <MoreButton list={list} what="calls" />
        </>
      )}
    </Wait>
  );
}

const WHO = { user: "Caller", assistant: "Agent", tool: "Event", system: "System" } as const;

function FoundCall({ item: { call, excerpts } }: { readonly item: Found }) {
  return (
    <li>
      <CallTitle call={call} />
      <ul>
        {excerpts.map(({ message, role, text, marks }) => (
          <li key={message}>
            <a class="excerpt" href={linkTo(["calls", call.id], { line: message })}>
              <span class="label">{WHO[role]}</span>
              <span>{marked(text, marks)}</span>
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

function CallTitle({ call }: { readonly call: StudioCallSummary }) {
  const { id, scenario, trial, status, agent, startedAt } = call;
  return (
    <h3>
      <a href={linkTo(["calls", id])} class="trial-link">
        <Sign status={status} />
        {scenario} <span class="quiet">trial {trial}</span>
      </a>
      <span class="quiet">
        {STATUS_WORDS[status]}, {agent}, {dateText(startedAt)}
      </span>
    </h3>
  );
}

/** A text with its marked words. */
function marked(
  text: string,
  marks: readonly { readonly from: number; readonly to: number }[],
): readonly ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { from, to } of marks) {
    if (from < at || to > text.length) continue;
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return [...parts, text.slice(at)];
}

function AllCalls({
  run,
  scenario,
  status,
}: {
  readonly run: string | undefined;
  readonly scenario: string | undefined;
  readonly status: Status | undefined;
}) {
  const list = useMoreList(`calls ${JSON.stringify([run, scenario, status])}`, (cursor, signal) =>
    studio.calls({ run, scenario, status, cursor }, { signal }),
  );
  return (
    <Wait loaded={list.loaded} what="the calls">
      {() => (
        <>
          {list.items.length === 0 && (
            <Nothing title={run || scenario || status ? "No call is like that" : "No calls are stored yet"}>
              <p>Calls come here when they have ended. Then you can look for words that were said.</p>
            </Nothing>
          )}
          <ul class="cards found">
            {list.items.map((call) => (
              <li key={call.id}>
                <CallTitle call={call} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} what="calls" />
        </>
      )}
    </Wait>
  );
}
