import type { StudioPolicyDecision, StudioPolicyStep } from "../../../../api/mod.ts";
import { Badge, type GraphPictureProps, Wait } from "../../parts/mod.ts";
import { type Loaded, route, setSettings } from "../../state/mod.ts";

const VERDICTS = {
  holds: ["pass", "holds"],
  broken: ["fail", "can be broken"],
  unknown: ["invalid", "not decided"],
} as const;

/** The policies of an agent; of one that can be broken, the shortest call that does it, step by step. */
export function AgentPolicies({
  decisions,
}: {
  readonly decisions: Loaded<readonly StudioPolicyDecision[] | undefined>;
}) {
  const { query } = route.value;
  return (
    <section class="panel policies">
      <h3>Policies</h3>
      <Wait loaded={decisions} what="what is decided about them">
        {(items = []) => (
          <ul class="findings">
            {items.map((each) => (
              <PolicyItem key={each.name} decision={each} isChosen={each.name === query.get("policy")} />
            ))}
          </ul>
        )}
      </Wait>
    </section>
  );
}

function PolicyItem({
  decision: { name, verdict, rule, reason, problems, counterexample },
  isChosen,
}: {
  readonly decision: StudioPolicyDecision;
  readonly isChosen: boolean;
}) {
  const [status, words] = VERDICTS[verdict];
  const show = () => setSettings({ policy: isChosen ? undefined : name, step: undefined, node: undefined });
  return (
    <li>
      <p>
        <strong>{name}</strong> <Badge status={status} words={words} />
      </p>
      {rule !== null && <p class="quiet">{rule}</p>}
      {reason !== null && <p class="quiet">{reason}</p>}
      {problems.map(({ message }, index) => (
        <p key={index}>{message}</p>
      ))}
      {counterexample && (
        <button type="button" aria-pressed={isChosen} onClick={show}>
          {isChosen ? "Hide the call that breaks it" : "Show a call that breaks it"}
        </button>
      )}
      {counterexample && isChosen && <Steps steps={counterexample.steps} />}
    </li>
  );
}

/** The steps of a counterexample. The arrow keys move in them. */
function Steps({ steps }: { readonly steps: readonly StudioPolicyStep[] }) {
  const chosen = stepOf(route.value.query, steps.length);
  const go = (step: number, list: HTMLElement) => {
    setSettings({ step });
    list.querySelectorAll("button")[step]?.focus();
  };
  const onKey = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    go(Math.max(0, Math.min(steps.length - 1, chosen === undefined ? 0 : chosen + way)), event.currentTarget);
  };
  return (
    <ol class="policy-steps" aria-label="Steps of the call" onKeyDown={onKey}>
      {steps.map(({ words }, index) => (
        <li key={index}>
          <button
            type="button"
            class="link"
            tabIndex={index === (chosen ?? 0) ? 0 : -1}
            aria-current={index === chosen ? "step" : undefined}
            onClick={() => setSettings({ step: index })}
          >
            {words}
          </button>
        </li>
      ))}
    </ol>
  );
}

function stepOf(query: URLSearchParams, count: number): number | undefined {
  const text = query.get("step") ?? "";
  return /^\d{1,6}$/.test(text) && Number(text) < count ? Number(text) : undefined;
}

/** What the picture shows of the chosen policy: the way of its call, and of the chosen step the node and the arrow. */
export function pathOf(
  decisions: readonly StudioPolicyDecision[],
  query: URLSearchParams,
  indexOf: (node: string) => number,
): Pick<GraphPictureProps, "used" | "current" | "taken"> {
  const found = decisions.find(({ name }) => name === query.get("policy"))?.counterexample;
  if (!found) return {};
  const step = found.steps[stepOf(query, found.steps.length) ?? -1];
  return {
    used: { path: found.visits.map(indexOf), arrows: found.steps.flatMap((each) => arrowsOfStep(each, indexOf)) },
    ...(step ? { current: indexOf(step.node), taken: arrowsOfStep(step, indexOf) } : {}),
  };
}

/** The arrows of a step, as `createPicture()` names them. */
function arrowsOfStep({ node, move }: StudioPolicyStep, indexOf: (node: string) => number): readonly string[] {
  if (!move) return [];
  const [from, to] = [indexOf(move.from), indexOf(node)];
  if (move.transition !== null) return [`t${from}.${move.transition}`];
  if (move.by === "global") return [`g${to}`];
  return move.goBack === null ? [`p${from}.${to}`] : [`b${from}.${move.goBack}`];
}
