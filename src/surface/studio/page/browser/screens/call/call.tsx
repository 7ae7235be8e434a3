import { useEffect, useMemo, useState } from "preact/hooks";
import {
  checkSection,
  createTranscript,
  dateText,
  duration,
  type LineMark,
  type PageScore,
  scoreSection,
  toolSection,
} from "../../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../../api/mod.ts";
import {
  Badge,
  type CallFacts,
  callFactsOf,
  Facts,
  GraphPicture,
  lineOfTurn,
  Mounted,
  Wait,
  Waterfall,
  Waveform,
} from "../../parts/mod.ts";
import { changes, linkTo, may, route, setSettings, studio, useLoaded } from "../../state/mod.ts";
import { CallDifferences, CallerFindings } from "./call_differences.tsx";
import { CallSteps, StepPanel } from "./call_steps.tsx";
import { CallUses } from "./call_uses.tsx";
import { LabelPanel } from "./label_panel.tsx";

type Call = StudioAnswer<"call">;
type Project = StudioAnswer<"project">;

/** A call: what was said beside the picture, and all that is known of it. */
export function CallScreen({ id, project }: { readonly id: string; readonly project: Project }) {
  const blind = route.value.query.get("blind") === "true" ? "true" : undefined;
  const loaded = useLoaded(`${id} ${blind} ${changes.labels.value}`, (signal) =>
    studio.call({ call: id, blind }, { signal }),
  );
  return (
    <Wait loaded={loaded} what="the call">
      {(call) => <CallArticle call={call} project={project} again={loaded.again} />}
    </Wait>
  );
}

function CallArticle({
  call,
  project,
  again,
}: {
  readonly call: Call;
  readonly project: Project;
  readonly again: () => void;
}) {
  const facts = useMemo(() => callFactsOf(call), [call.id]);
  const { line, select, transcript } = useTranscript(call, facts);
  const scores = useMemo(() => scoreSection({ verdicts: scoresOf(call) }, transcript), [call.id, transcript]);
  const checks = useMemo(() => checkSection(call), [call.id]);
  const tools = useMemo(() => toolSection(facts, facts.nodes), [call.id]);
  const failed = failuresOf(call);
  return (
    <article class="call">
      <p class="crumbs">
        <a href={linkTo(["runs"])}>Runs</a> <a href={linkTo(["runs", call.runId])}>run {call.runId.slice(0, 8)}</a>
      </p>
      <div class="title-line">
        <h2>
          {call.scenario} <span class="quiet">trial {trialName(call)}</span> <Badge status={call.status} />
        </h2>
        <div class="actions">
          <Neighbours call={call} />
          <a class="button" href={studio.address("exportCall", { file: `${call.id}.html` })} download>
            Save as HTML
          </a>
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </div>
      </div>
      <CallHead call={call} project={project} />
      <div class="beside">
        <div>
          {failed.length > 0 && (
            <section>
              <h3>What went wrong</h3>
              <ul class="problems">
                {failed.map(({ title, text }) => (
                  <li key={title}>
                    <strong>{title}</strong>
                    <p>
                      <span class="label">found</span>
                      <span>{text}</span>
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <CallerFindings audit={call.audit} />
          <CallDifferences
            call={call}
            onTurn={(turn) => {
              const found = lineOfTurn(facts.lines, turn, "agent") ?? lineOfTurn(facts.lines, turn, "caller");
              if (found !== undefined) select(found);
            }}
          />
          <Recording call={call} facts={facts} onLine={select} />
          <section>
            <div class="section-line">
              <h3>Transcript</h3>
              <CallSteps count={facts.lines.length} line={line} onLine={select} />
            </div>
            <Mounted element={transcript.element} />
          </section>
          <Mounted element={scores} />
          <Mounted element={checks} />
          <Mounted element={tools} />
          {facts.waits.length > 0 && (
            <section>
              <h3>How long the caller waited</h3>
              <Waterfall
                turns={facts.waits}
                onChoose={(index) => {
                  const found = lineOfTurn(facts.lines, call.latency[index]?.turn ?? 0, "agent");
                  if (found !== undefined) select(found);
                }}
              />
            </section>
          )}
        </div>
        <div class="side">
          <CallPicture call={call} project={project} facts={facts} line={line} onSelect={transcript.selectNode} />
          <StepPanel call={call} facts={facts} line={line} />
          <LabelPanel
            key={call.id}
            call={call}
            facts={facts}
            line={line}
            canLabel={may("labeller")}
            again={again}
            onLine={select}
          />
          <CallUses call={call} />
        </div>
      </div>
    </article>
  );
}

/** The report's transcript; its selected line is in the URL. */
function useTranscript(call: Call, facts: CallFacts) {
  const setting = route.value.query.get("line");
  const line = setting === null ? -1 : Number(setting);
  const marks = useMemo(() => marksOf(call), [call.id]);
  const [transcript] = useState(() =>
    createTranscript(facts, facts.nodes, (_, index) => setSettings({ line: index }), marks),
  );
  useEffect(() => {
    if (line >= 0) transcript.select(line);
  }, [line]);
  return { line, transcript, select: (index: number) => transcript.select(index) };
}

function marksOf({ marks }: Call): ReadonlyMap<number, readonly LineMark[]> {
  const found = new Map<number, LineMark[]>();
  for (const { message, criterion, from, to } of marks)
    found.set(message, [...(found.get(message) ?? []), { from, to, title: `evidence: ${criterion}` }]);
  return found;
}

/** The verdicts as the report's cards show them. */
function scoresOf({ verdicts, marks }: Call): readonly PageScore[] {
  return verdicts.map(
    ({ criterion, requirement, reasoning, evidence, passed, score, threshold, confidence, evidenceFound }) => ({
      criterion,
      requirement: typeof requirement === "string" ? requirement : criterion,
      reason: reasoning,
      evidence,
      passed,
      score,
      threshold,
      quoted: marks.filter((mark) => mark.criterion === criterion).map(({ message }) => message),
      ...(typeof confidence === "number" ? { confidence } : {}),
      ...(evidenceFound === false ? { isUnfounded: true } : {}),
    }),
  );
}

function failuresOf({
  errorMessage,
  checks,
  verdicts,
}: Call): readonly { readonly title: string; readonly text: string }[] {
  return [
    ...(errorMessage === null ? [] : [{ title: "error", text: errorMessage }]),
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ kind, expected, reason }) => ({ title: `${kind} ${expected}`, text: reason })),
    ...verdicts
      .filter(({ passed }) => !passed)
      .map(({ criterion, reasoning }) => ({ title: criterion, text: reasoning })),
  ];
}

function trialName({ trial, attempt }: Call): string {
  return attempt === null || attempt === 1 ? String(trial) : `${trial}.${attempt}`;
}

function Neighbours({ call: { previous, next } }: { readonly call: Call }) {
  return (
    <nav class="neighbours" aria-label="Calls of the run">
      {previous === null ? <span class="quiet">← previous</span> : <a href={linkTo(["calls", previous])}>← previous</a>}
      {next === null ? <span class="quiet">next →</span> : <a href={linkTo(["calls", next])}>next →</a>}
    </nav>
  );
}

function CallHead({ call, project }: { readonly call: Call; readonly project: Project }) {
  const agent = project.agents.find(({ name }) => name === call.agent);
  return (
    <Facts
      facts={[
        [
          "agent",
          agent ? (
            <a key="agent" href={linkTo(["agents", agent.id])}>
              {call.agent}
            </a>
          ) : (
            call.agent
          ),
        ],
        ...(call.kind === "simulated" ? [] : [["kind", call.kind] as const]),
        ["ended", (call.endReason ?? "unknown").replaceAll("_", " ")],
        ["turns", String(call.turnCount)],
        ["took", duration(call.durationMs)],
        ...(call.score === null ? [] : [["score", call.score.toFixed(2)] as const]),
        ["started", dateText(call.startedAt)],
      ]}
    />
  );
}

function Recording({
  call,
  facts,
  onLine,
}: {
  readonly call: Call;
  readonly facts: CallFacts;
  readonly onLine: (line: number) => void;
}) {
  const { recording } = call;
  if (!recording) return null;
  return (
    <section>
      <h3>Recording</h3>
      {recording.path !== null ? (
        <Waveform url={studio.address("recording", { call: call.id })} marks={facts.marks} onLine={onLine} />
      ) : (
        <p>Only the platform has it: {recording.url}</p>
      )}
    </section>
  );
}

/** The picture of the agent with the call's path; up to the selected line, if there is one. */
function CallPicture({
  call,
  project,
  facts,
  line,
  onSelect,
}: {
  readonly call: Call;
  readonly project: Project;
  readonly facts: CallFacts;
  readonly line: number;
  readonly onSelect: (node: number) => void;
}) {
  const agent = project.agents.find(({ name }) => name === call.agent);
  const loaded = useLoaded(`agent/${agent?.id}`, async (signal) =>
    agent ? await studio.agent({ agent: agent.id, run: call.runId }, { signal }) : undefined,
  );
  const current = facts.lines[line];
  const used = useMemo(() => usedUntil(facts, line), [facts, line]);
  const taken = useMemo(() => (current?.kind === "move" ? current.arrows : []), [current]);
  return (
    <Wait loaded={loaded} what="the picture">
      {(value) =>
        value?.picture ? (
          <GraphPicture
            svg={value.picture}
            nodes={facts.nodes}
            current={current?.node}
            taken={taken}
            used={used}
            onSelect={onSelect}
          />
        ) : (
          <p class="quiet">The source of this agent is not here, so there is no picture of it.</p>
        )
      }
    </Wait>
  );
}

/** The way up to a line; the whole way without one. */
function usedUntil(
  { lines, path, arrows }: CallFacts,
  line: number,
): { readonly path: readonly number[]; readonly arrows: readonly string[] } {
  if (line < 0) return { path, arrows };
  const passed = lines.slice(0, line + 1);
  const nodes = passed.map(({ node }) => node).filter((node, index, all) => node !== all[index - 1]);
  return { path: nodes, arrows: passed.flatMap((each) => (each.kind === "move" ? each.arrows : [])) };
}
