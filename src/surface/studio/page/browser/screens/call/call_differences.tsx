import { counted, dateText } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../../api/mod.ts";
import { Badge, turnName } from "../../parts/mod.ts";
import { linkTo } from "../../state/mod.ts";

type Call = StudioAnswer<"call">;
type Divergence = NonNullable<Call["replay"]>["divergences"][number];

const WHAT = { path: "another way", variable: "another value", tool: "another tool call", end: "another end" } as const;

/** What the audit found of the simulated caller. */
export function CallerFindings({ audit }: Pick<Call, "audit">) {
  if (audit.length === 0) return null;
  return (
    <section class="audit-findings">
      <h3>The simulated caller was unreliable</h3>
      <p class="quiet">Such a call says nothing about the agent.</p>
      <ul class="problems">
        {audit.map(({ kind, fact, quote, reason }, index) => (
          <li key={index}>
            <strong>
              {kind === "invented-fact"
                ? `invented ${fact ?? "a fact"}`
                : kind === "ended-early"
                  ? "hung up too early"
                  : `does not show ${fact ?? "a trait"}`}
            </strong>
            <p>
              <span class="label">found</span>
              <span>{reason}</span>
            </p>
            {quote !== "" && (
              <p>
                <span class="label">words</span>
                <q>{quote}</q>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How a call differs from the one that it repeats, and the calls that repeat it. */
export function CallDifferences({ call, onTurn }: { readonly call: Call; readonly onTurn: (turn: number) => void }) {
  const { replay, repetitions, isConnected } = call;
  return (
    <>
      {replay && (
        <section class="divergences">
          <h3>
            {replay.divergences.length === 0
              ? "As in its recording"
              : `${counted(replay.divergences.length, "difference")} from its recording`}
          </h3>
          <p class="quiet">
            It repeats what the caller said in <a href={linkTo(["calls", replay.ofResult])}>another call</a>.
          </p>
          <DivergenceList divergences={replay.divergences} onTurn={onTurn} />
        </section>
      )}
      {repetitions.length > 0 && (
        <section class="repetitions">
          <h3>{isConnected ? "The same words, said to the graph" : "The same words, said again"}</h3>
          <ul class="problems">
            {repetitions.map(({ call: id, status, startedAt, divergences }) => (
              <li key={id}>
                <a href={linkTo(["calls", id])}>{dateText(startedAt)}</a> <Badge status={status} />{" "}
                {divergences.length === 0 ? "no difference" : counted(divergences.length, "difference")}
                <DivergenceList divergences={divergences.slice(0, 1)} onTurn={onTurn} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function DivergenceList({
  divergences,
  onTurn,
}: {
  readonly divergences: readonly Divergence[];
  readonly onTurn: (turn: number) => void;
}) {
  if (divergences.length === 0) return null;
  return (
    <ul class="problems">
      {divergences.map((divergence, index) => (
        <li key={index}>
          <strong>
            <button type="button" class="link" onClick={() => onTurn(divergence.turn)}>
              {turnName(divergence.turn)}
            </button>
            : {WHAT[divergence.kind]}
            {divergence.follows && <span class="quiet"> may follow from the one before</span>}
          </strong>
          <Side label="recorded" what={divergence.recorded} why={divergence.recordedReason} />
          <Side label="now" what={divergence.replayed} why={divergence.replayedReason} />
          {divergence.graphChanges?.map((change, at) => (
            <p key={at}>
              <span class="label">changed</span>
              <span>{change}</span>
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Side({
  label,
  what,
  why,
}: {
  readonly label: string;
  readonly what: string | null;
  readonly why: string | undefined;
}) {
  return (
    <p>
      <span class="label">{label}</span>
      <span>
        {what ?? "nothing"}
        {why !== undefined && !what?.includes(why) && <span class="quiet">, because: {why}</span>}
      </span>
    </p>
  );
}
