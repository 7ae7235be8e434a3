import type { StudioAnswer } from "../../../../api/mod.ts";
import { Choice } from "../../parts/mod.ts";
import { route, setSettings } from "../../state/mod.ts";
import { SourceChange } from "./source_change.tsx";
import { TryCalls, TryScenario } from "./trial.tsx";
import { TwoChats } from "./two_chats.tsx";

const WAYS = [
  ["words", "on the same words"],
  ["calls", "on failed calls"],
  ["scenario", "on a scenario"],
] as const;

/** Tries another prompt of a node beside the original, and takes it over. */
export function TryPanel({
  agent,
  node,
  before,
  after,
  scenario,
}: {
  readonly agent: StudioAnswer<"agent">;
  readonly node: string;
  readonly before: string;
  readonly after: string;
  /** Whose variables and mocks the chats take; empty: none. */
  readonly scenario: string;
}) {
  const way = WAYS.find(([name]) => name === route.value.query.get("try"))?.[0] ?? "words";
  const prompts = { [node]: after };
  return (
    <section class="try">
      <h3>Beside the original</h3>
      <Choice label="Try it" choices={WAYS} chosen={way} onChoose={(name) => setSettings({ try: name })} />
      {way === "words" && <TwoChats key={after} agent={agent.id} prompts={prompts} scenario={scenario} />}
      {way === "calls" && <TryCalls key={after} agent={agent} prompts={prompts} />}
      {way === "scenario" && <TryScenario key={after} agent={agent} prompts={prompts} />}
      <SourceChange key={node} agent={agent.id} node={node} before={before} after={after} />
    </section>
  );
}
